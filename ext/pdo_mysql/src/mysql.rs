//! The class `Pdo\Mysql`.

use crate::driver::MysqlConnection;
use jumbo_abi::{Cx, PObject, Res};
use jumbo_ext_mysqlnd::connection::lock;
use jumbo_ext_pdo::connection::with_driver;

pub fn get_warning_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with_driver(cx, this, |_, _, driver: &MysqlConnection| Ok(lock(&driver.shared).map_or(0, |c| i64::from(c.outcome.warnings))))
}
