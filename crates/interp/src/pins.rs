//! Pins: the memory that an instruction writes to stays while PHP code runs in the middle of the instruction.
//!
//! Fetched places (`PTR` temporaries) and the targets of variables that are references are known by address, without a count (see
//! `jumbo_value::Heap::pin`). Every way from native code into PHP code pins the addresses that the interrupted instruction's operands
//! name. So handlers may go on with a slot after a warning, a conversion or a destructor: it is live, or was cleared and belongs to nobody.
//! What it does not give is meaning: whether a write still has its target is the handler's question (see [`crate::dim`]).

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_bytecode::{Insn, Kind, LITERAL, THIS};
use jumbo_value::{Heap, Raw, tag};

/// An instruction names at most this many places; each may be a slot and the reference in it.
const MOST: usize = 6;

/// Pins of one interrupted instruction; they end when this is dropped.
pub struct Pins {
    addresses: [usize; MOST],
    count: usize,
    vm: *mut Vm,
    fp: *mut Frame,
    pc: *const Insn,
}

impl Pins {
    /// Pins what the running instruction writes to.
    ///
    /// # Safety
    /// The machine is live, and outlives the pins.
    #[inline]
    pub unsafe fn of_running(vm: *mut Vm) -> Pins {
        // SAFETY: as promised; operands are looked at only when the instruction is one of the running frame's function.
        unsafe {
            let (fp, pc) = ((*vm).fp, (*vm).pc);
            let mut pins = Pins { addresses: [0; MOST], count: 0, vm, fp, pc };
            let heap = Heap::current();
            if heap.has_kept() && (*vm).kept_at != (fp, pc) {
                // Another instruction runs: the one that the blocks were kept for is done.
                heap.free_kept();
            }
            if !fp.is_null() && (*fp).is_user() {
                let code = &(*(*fp).func).proto_unchecked().code;
                if code.as_ptr_range().contains(&pc) && (*pc).op().info().writes_places {
                    pins.pin_operands();
                }
            }
            pins
        }
    }

    /// Pins what the instruction, one of the running function's, writes to.
    #[inline(never)]
    unsafe fn pin_operands(&mut self) {
        // SAFETY: the verifier checked the operands.
        unsafe {
            let (fp, pc, heap) = (self.fp, self.pc, Heap::current());
            let func = &*(*fp).func;
            for (kind, register) in (*pc).operands() {
                if matches!(kind, Kind::W | Kind::V) && register & LITERAL == 0 && register < THIS && u32::from(register) < u32::from(func.registers) {
                    self.add(heap, Frame::slot(fp, register), register >= func.first_temp);
                }
            }
        }
    }

    unsafe fn add(&mut self, heap: &Heap, slot: *mut Raw, temp: bool) {
        // SAFETY: a register of the running frame; its content is live.
        unsafe {
            let mut slot = slot;
            if (*slot).tag == tag::PTR && temp {
                slot = (*slot).bits as *mut Raw;
                self.pin(heap, slot);
            }
            if (*slot).tag == tag::REF {
                self.pin(heap, Raw::deref_slot(slot));
            }
        }
    }

    fn pin(&mut self, heap: &Heap, slot: *mut Raw) {
        if let Some(free) = self.addresses.get_mut(self.count) {
            *free = slot as usize;
            self.count += 1;
            heap.pin(slot as usize);
        }
    }

    #[inline(never)]
    fn unpin(&self) {
        let heap = Heap::current();
        for &address in &self.addresses[..self.count] {
            heap.unpin(address);
        }
        if heap.has_kept() {
            // SAFETY: the machine outlives the pins.
            unsafe { (*self.vm).kept_at = (self.fp, self.pc) };
        }
    }
}

impl Drop for Pins {
    #[inline]
    fn drop(&mut self) {
        if self.count != 0 {
            self.unpin();
        }
    }
}
