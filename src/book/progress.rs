//! How work on a whole book tells what it is doing.

/// Is told how work goes on, from any thread; the work's steps are of type `S`.
pub trait Progress<S>: Sync {
    /// A step begins that will take `total` units.
    fn begin(&self, step: S, total: u64);
    /// So many units more are done.
    fn advance(&self, units: u64);
}

/// Tells nobody.
impl<S> Progress<S> for () {
    fn begin(&self, _: S, _: u64) {}
    fn advance(&self, _: u64) {}
}
