//! The search compiled twice: for every processor, and for those with wide vectors and
//! a population count, which the program finds out when it runs.

use super::search::{Level, Node, Work, search};
use super::shape::Board;

/// For every processor.
pub(super) struct Plain;

impl Level for Plain {
    #[inline(never)]
    fn search<B: Board<LANES>, const LANES: usize>(
        work: &mut Work<'_>,
        board: B,
        node: Node,
        alpha: i32,
    ) -> i32 {
        search::<Plain, B, LANES>(work, board, node, alpha)
    }
}

/// For processors of which [`Wide::available`] holds; nothing else may use it.
#[cfg(target_arch = "x86_64")]
pub(super) struct Wide;

#[cfg(target_arch = "x86_64")]
impl Wide {
    /// Whether this processor can run it.
    pub(super) fn available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

#[cfg(target_arch = "x86_64")]
impl Level for Wide {
    #[inline(always)]
    fn search<B: Board<LANES>, const LANES: usize>(
        work: &mut Work<'_>,
        board: B,
        node: Node,
        alpha: i32,
    ) -> i32 {
        // SAFETY: the solver takes this level only after `Wide::available` found every
        // feature the function is compiled for.
        unsafe { wide(work, board, node, alpha) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn wide<B: Board<LANES>, const LANES: usize>(
    work: &mut Work<'_>,
    board: B,
    node: Node,
    alpha: i32,
) -> i32 {
    search::<Wide, B, LANES>(work, board, node, alpha)
}
