//! [`DynState`] and [`DynMove`]: states and moves of any game as values of one type each, stored in
//! place. They carry the type of their content and check it whenever it is used.

use std::any::{TypeId, type_name};
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::mem::{MaybeUninit, needs_drop};

/// Room for a state in words of 8 bytes; a larger one is put into a box.
const STATE_WORDS: usize = 8;
/// Room for a move in words of 8 bytes.
const MOVE_WORDS: usize = 4;

type StateRoom = MaybeUninit<[u64; STATE_WORDS]>;
type MoveRoom = MaybeUninit<[u64; MOVE_WORDS]>;

/// A state of a game of any type.
pub(super) struct DynState {
    room: StateRoom,
    functions: &'static StateFunctions,
}

/// The functions of one type of state. Their arguments must contain a state of this type.
struct StateFunctions {
    type_id: fn() -> TypeId,
    copy: unsafe fn(&StateRoom) -> StateRoom,
    drop: Option<unsafe fn(&mut StateRoom)>,
    equal: unsafe fn(&StateRoom, &StateRoom) -> bool,
    hash: unsafe fn(&StateRoom, &mut dyn Hasher),
    debug: unsafe fn(&StateRoom, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// What the registry asks of a type of states; every [`Game::State`](crate::game::Game::State) has
/// it.
pub(super) trait StateType: Clone + Eq + Hash + Debug + Send + Sync + 'static {}

impl<S: Clone + Eq + Hash + Debug + Send + Sync + 'static> StateType for S {}

/// The layout of states of type `S` in a [`StateRoom`], and their functions.
struct StateLayout<S>(S);

impl<S: StateType> StateLayout<S> {
    /// Whether a state is stored in place; otherwise a box with it is.
    const IN_PLACE: bool =
        size_of::<S>() <= size_of::<StateRoom>() && align_of::<S>() <= align_of::<StateRoom>();

    const FUNCTIONS: &'static StateFunctions = &StateFunctions {
        type_id: TypeId::of::<S>,
        // SAFETY: the caller passes a room that contains a state of type `S`.
        copy: |room| Self::put(unsafe { Self::get(room) }.clone()),
        drop: if needs_drop::<S>() || !Self::IN_PLACE { Some(Self::drop) } else { None },
        // SAFETY: as for `copy`.
        equal: |a, b| unsafe { Self::get(a) == Self::get(b) },
        // SAFETY: as for `copy`.
        hash: |room, mut hasher| unsafe { Self::get(room) }.hash(&mut hasher),
        // SAFETY: as for `copy`.
        debug: |room, f| unsafe { Self::get(room) }.fmt(f),
    };

    #[inline]
    fn put(state: S) -> StateRoom {
        let mut room = StateRoom::uninit();
        let start = room.as_mut_ptr();
        // SAFETY: the room is large enough and aligned for the state by `IN_PLACE`, or for a box,
        // which is one pointer.
        unsafe {
            if Self::IN_PLACE {
                start.cast::<S>().write(state);
            } else {
                start.cast::<Box<S>>().write(Box::new(state));
            }
        }
        room
    }

    /// # Safety
    /// `room` was made by `put` of the same type.
    #[inline]
    unsafe fn get(room: &StateRoom) -> &S {
        let start = room.as_ptr();
        // SAFETY: `put` wrote a state or a box there, which lives as long as the room.
        unsafe { if Self::IN_PLACE { &*start.cast::<S>() } else { &*start.cast::<Box<S>>() } }
    }

    /// # Safety
    /// `room` was made by `put` of the same type.
    #[inline]
    unsafe fn get_mut(room: &mut StateRoom) -> &mut S {
        let start = room.as_mut_ptr();
        // SAFETY: as for `get`, and the room is borrowed mutably.
        unsafe {
            if Self::IN_PLACE { &mut *start.cast::<S>() } else { &mut *start.cast::<Box<S>>() }
        }
    }

    /// # Safety
    /// `room` was made by `put` of the same type and is not used afterwards.
    unsafe fn drop(room: &mut StateRoom) {
        let start = room.as_mut_ptr();
        // SAFETY: `put` wrote a state or a box there, and nothing uses it afterwards.
        unsafe {
            if Self::IN_PLACE {
                start.cast::<S>().drop_in_place();
            } else {
                start.cast::<Box<S>>().drop_in_place();
            }
        }
    }
}

impl DynState {
    /// Stores a state.
    #[inline]
    pub(super) fn new<S: StateType>(state: S) -> Self {
        DynState { room: StateLayout::put(state), functions: StateLayout::<S>::FUNCTIONS }
    }

    /// Returns the stored state.
    ///
    /// # Panics
    /// When it is of another type than `S`: a state of another game.
    #[inline]
    pub(super) fn get<S: StateType>(&self) -> &S {
        self.check::<S>();
        // SAFETY: the functions tell the type that `new` stored, and it is `S`.
        unsafe { StateLayout::get(&self.room) }
    }

    /// Returns the stored state to change it.
    ///
    /// # Panics
    /// As for [`DynState::get`].
    #[inline]
    pub(super) fn get_mut<S: StateType>(&mut self) -> &mut S {
        self.check::<S>();
        // SAFETY: as in `get`.
        unsafe { StateLayout::get_mut(&mut self.room) }
    }

    #[inline]
    fn check<S: StateType>(&self) {
        // The functions of a type may have several addresses, so only equal ones decide.
        let same = std::ptr::eq(self.functions, StateLayout::<S>::FUNCTIONS)
            || (self.functions.type_id)() == TypeId::of::<S>();
        assert!(same, "a state of {}, not of another game", type_name::<S>());
    }
}

impl Clone for DynState {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: the functions are those of the type in the room.
        let room = unsafe { (self.functions.copy)(&self.room) };
        DynState { room, functions: self.functions }
    }
}

impl Drop for DynState {
    #[inline]
    fn drop(&mut self) {
        if let Some(drop) = self.functions.drop {
            // SAFETY: the functions are those of the type in the room, which is not used again.
            unsafe { drop(&mut self.room) }
        }
    }
}

impl PartialEq for DynState {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (std::ptr::eq(self.functions, other.functions)
            || (self.functions.type_id)() == (other.functions.type_id)())
            // SAFETY: both rooms have the type of the functions.
            && unsafe { (self.functions.equal)(&self.room, &other.room) }
    }
}

impl Eq for DynState {}

impl Hash for DynState {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // SAFETY: the functions are those of the type in the room.
        unsafe { (self.functions.hash)(&self.room, hasher) }
    }
}

impl Debug for DynState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the functions are those of the type in the room.
        unsafe { (self.functions.debug)(&self.room, f) }
    }
}

/// A move of a game of any type.
#[derive(Clone, Copy)]
pub(super) struct DynMove {
    room: MoveRoom,
    functions: &'static MoveFunctions,
}

/// The functions of one type of move. Their arguments must contain a move of this type.
struct MoveFunctions {
    type_id: fn() -> TypeId,
    equal: unsafe fn(&MoveRoom, &MoveRoom) -> bool,
    debug: unsafe fn(&MoveRoom, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// What the registry asks of a type of moves; every [`Game::Move`](crate::game::Game::Move) has it.
pub(super) trait MoveType: Copy + Eq + Debug + Send + Sync + 'static {}

impl<M: Copy + Eq + Debug + Send + Sync + 'static> MoveType for M {}

/// The layout of moves of type `M` in a [`MoveRoom`], and their functions.
struct MoveLayout<M>(M);

impl<M: MoveType> MoveLayout<M> {
    const FITS: () = assert!(
        size_of::<M>() <= size_of::<MoveRoom>() && align_of::<M>() <= align_of::<MoveRoom>(),
        "a move of a registered game takes at most 32 bytes"
    );

    const FUNCTIONS: &'static MoveFunctions = &MoveFunctions {
        type_id: TypeId::of::<M>,
        // SAFETY: the caller passes rooms that contain a move of type `M`.
        equal: |a, b| unsafe { Self::get(a) == Self::get(b) },
        // SAFETY: as for `equal`.
        debug: |room, f| unsafe { Self::get(room) }.fmt(f),
    };

    /// # Safety
    /// `room` contains a move of type `M`.
    #[inline]
    unsafe fn get(room: &MoveRoom) -> M {
        // SAFETY: by `FITS` the room is large enough and aligned, and it contains a move.
        unsafe { room.as_ptr().cast::<M>().read() }
    }
}

impl DynMove {
    /// Stores a move.
    #[inline]
    pub(super) fn new<M: MoveType>(m: M) -> Self {
        const { MoveLayout::<M>::FITS };
        let mut room = MoveRoom::uninit();
        // SAFETY: by `FITS` the room is large enough and aligned for the move.
        unsafe { room.as_mut_ptr().cast::<M>().write(m) };
        DynMove { room, functions: MoveLayout::<M>::FUNCTIONS }
    }

    /// Returns the stored move.
    ///
    /// # Panics
    /// When it is of another type than `M`: a move of another game.
    #[inline]
    pub(super) fn get<M: MoveType>(&self) -> M {
        let same = std::ptr::eq(self.functions, MoveLayout::<M>::FUNCTIONS)
            || (self.functions.type_id)() == TypeId::of::<M>();
        assert!(same, "a move of {}, not of another game", type_name::<M>());
        // SAFETY: the functions tell the type that `new` stored, and it is `M`.
        unsafe { MoveLayout::get(&self.room) }
    }
}

impl PartialEq for DynMove {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (std::ptr::eq(self.functions, other.functions)
            || (self.functions.type_id)() == (other.functions.type_id)())
            // SAFETY: both rooms have the type of the functions.
            && unsafe { (self.functions.equal)(&self.room, &other.room) }
    }
}

impl Eq for DynMove {}

impl Debug for DynMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the functions are those of the type in the room.
        unsafe { (self.functions.debug)(&self.room, f) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;

    #[test]
    fn states_in_place_and_in_boxes_are_copied_compared_and_dropped() {
        let counted = Arc::new(());
        for size in [1, 64] {
            let state = DynState::new((Arc::clone(&counted), vec![7u8; size]));
            let mut other = state.clone();
            assert_eq!(state, other);
            other.get_mut::<(Arc<()>, Vec<u8>)>().1[0] = 8;
            assert_ne!(state, other);
            assert_eq!(HashSet::from([state.clone(), other, state]).len(), 2);
        }
        let large = DynState::new(([3u64; 40], Arc::clone(&counted)));
        assert_eq!(large.clone().get::<([u64; 40], Arc<()>)>().0, [3; 40]);
        assert_eq!(format!("{:?}", DynState::new(5u8)), "5");
        drop(large);
        assert_eq!(Arc::strong_count(&counted), 1, "every copy was dropped");
    }

    #[test]
    fn values_of_different_types_are_different() {
        assert_ne!(DynState::new(1u8), DynState::new(1u16));
        assert_ne!(DynMove::new(1u8), DynMove::new(1u16));
        assert_eq!(DynMove::new((1u64, 2u8)), DynMove::new((1u64, 2u8)));
        assert_eq!(format!("{:?}", DynMove::new(Some(4u32))), "Some(4)");
    }

    #[test]
    #[should_panic(expected = "not of another game")]
    fn a_state_of_another_game_is_refused() {
        DynState::new(1u8).get::<u16>();
    }

    #[test]
    #[should_panic(expected = "not of another game")]
    fn a_move_of_another_game_is_refused() {
        DynMove::new(1u8).get::<u16>();
    }
}
