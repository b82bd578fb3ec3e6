//! What was written for the units that have locked. The best ways of a game differ in their
//! last units only, so a way is its last unit's text and a link to the way before; those that
//! no way leads through any more are taken out from time to time.

/// The text of one unit, and the way to which it was added.
#[derive(Clone, Copy, Debug)]
struct TextSegment {
    before: u32,
    start: u32,
    length: u32,
}

/// No way before: the game began.
const BEGINNING: u32 = u32::MAX;
/// Text below this is not worth clearing.
const SMALL: usize = 1 << 20;

/// All ways that are still followed.
#[derive(Debug)]
pub(super) struct PathHistory {
    segments: Vec<TextSegment>,
    text: Vec<u8>,
    /// Clear when there is more text than this.
    limit: usize,
}

impl PathHistory {
    /// No unit has locked yet.
    pub(super) fn new() -> Self {
        PathHistory { segments: Vec::new(), text: Vec::new(), limit: SMALL }
    }

    /// The way of a game that begins.
    pub(super) fn beginning() -> u32 {
        BEGINNING
    }

    /// The way `before` and then `backwards`, which is read from its end.
    pub(super) fn add(&mut self, before: u32, backwards: &[u8]) -> u32 {
        let (start, length) = (self.text.len() as u32, backwards.len() as u32);
        self.text.extend(backwards.iter().rev());
        self.segments.push(TextSegment { before, start, length });
        self.segments.len() as u32 - 1
    }

    /// Forgets what leads to none of `ways` if there is much of it, and renames these.
    pub(super) fn clear<'a>(&mut self, ways: impl Iterator<Item = &'a mut u32>) {
        if self.text.len() <= self.limit {
            return;
        }
        let ways: Vec<&mut u32> = ways.collect();
        let mut names = vec![BEGINNING; self.segments.len()];
        for way in &ways {
            let mut at = **way;
            // A name that is not BEGINNING marks what is kept.
            while at != BEGINNING && names[at as usize] == BEGINNING {
                names[at as usize] = 0;
                at = self.segments[at as usize].before;
            }
        }
        let (segments, text) = (std::mem::take(&mut self.segments), std::mem::take(&mut self.text));
        for (i, segment) in segments.into_iter().enumerate() {
            if names[i] != BEGINNING {
                names[i] = self.segments.len() as u32;
                let before = names.get(segment.before as usize).copied().unwrap_or(BEGINNING);
                let start = self.text.len() as u32;
                self.text
                    .extend_from_slice(&text[segment.start as usize..][..segment.length as usize]);
                self.segments.push(TextSegment { before, start, ..segment });
            }
        }
        for way in ways {
            *way = names[*way as usize];
        }
        self.limit = (2 * self.text.len()).max(SMALL);
    }

    /// The whole text of a way.
    pub(super) fn text(&self, way: u32) -> String {
        let step = |&at: &u32| Some(self.segments[at as usize].before).filter(|&b| b != BEGINNING);
        let last = Some(way).filter(|&way| way != BEGINNING);
        let mut ways: Vec<u32> = std::iter::successors(last, step).collect();
        ways.reverse();
        let bytes = ways.into_iter().flat_map(|way| {
            let segment = self.segments[way as usize];
            &self.text[segment.start as usize..][..segment.length as usize]
        });
        bytes.map(|&byte| byte as char).collect()
    }
}
