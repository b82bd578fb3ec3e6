//! The search compiled twice: for every processor, and for those with wide vectors and
//! a population count, which the program finds out when it runs.

use super::search::{InstructionLevel, SearchContext, SearchNode, search};
use super::shape::ShapeSource;

/// For every processor.
pub(super) struct PortableLevel;

impl InstructionLevel for PortableLevel {
    #[inline(never)]
    fn search<B: ShapeSource<LANES>, const LANES: usize>(
        work: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32 {
        search::<PortableLevel, B, LANES>(work, board, node, alpha)
    }
}

/// For processors of which [`WideLevel::available`] holds; nothing else may use it.
#[cfg(target_arch = "x86_64")]
pub(super) struct WideLevel;

#[cfg(target_arch = "x86_64")]
impl WideLevel {
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
impl InstructionLevel for WideLevel {
    #[inline(always)]
    fn search<B: ShapeSource<LANES>, const LANES: usize>(
        work: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32 {
        // SAFETY: the solver takes this level only after `WideLevel::available` found every
        // feature the function is compiled for.
        unsafe { wide(work, board, node, alpha) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn wide<B: ShapeSource<LANES>, const LANES: usize>(
    work: &mut SearchContext<'_>,
    board: B,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    search::<WideLevel, B, LANES>(work, board, node, alpha)
}
