//! The CPU targets of the search. It is compiled twice: once for every processor, and once for
//! those with AVX2, BMI and population count. The solver chooses at run time.

use super::search::{CpuTarget, SearchContext, SearchNode, search};
use super::shape::ShapeProvider;

/// The search compiled with only the instructions that every processor has.
pub(super) struct PortableTarget;

impl CpuTarget for PortableTarget {
    #[inline(never)]
    fn search<B: ShapeProvider<LANES>, const LANES: usize>(
        context: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32 {
        search::<PortableTarget, B, LANES>(context, board, node, alpha)
    }
}

/// The search compiled for AVX2, BMI and population count. It may only be used if
/// [`Avx2Target::is_supported`] returns true.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2Target;

#[cfg(target_arch = "x86_64")]
impl Avx2Target {
    /// Returns whether this processor has all instructions that the AVX2 search uses.
    pub(super) fn is_supported() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

#[cfg(target_arch = "x86_64")]
impl CpuTarget for Avx2Target {
    #[inline(always)]
    fn search<B: ShapeProvider<LANES>, const LANES: usize>(
        context: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32 {
        // SAFETY: the solver chooses this target only if `Avx2Target::is_supported` found every
        // feature the function is compiled for.
        unsafe { search_avx2(context, board, node, alpha) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn search_avx2<B: ShapeProvider<LANES>, const LANES: usize>(
    context: &mut SearchContext<'_>,
    board: B,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    search::<Avx2Target, B, LANES>(context, board, node, alpha)
}
