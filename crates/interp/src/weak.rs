//! WeakReference and WeakMap.
