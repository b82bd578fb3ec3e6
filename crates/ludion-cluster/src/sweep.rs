//! The streams of a run outlive a coordinator that was killed. Whoever conducts the next run takes
//! those away that nobody announces: at once where they are of the same run, which is gone on with,
//! and else when nobody has written to them for a day. A coordinator that was merely out of reach so
//! long opens its run again.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::stream::Info;
use futures_util::StreamExt;

use crate::access::Connection;
use crate::wire::{AnnouncementHead, RUNS, RunNames};

/// How long announcements are listened to.
const LISTEN: Duration = Duration::from_secs(5);
/// Streams that are quiet for so many seconds.
const OLD: f64 = 24.0 * 3600.0;

/// Takes away what is left of runs that nobody conducts; `print` is that of the run that we do.
pub(crate) async fn sweep(link: Connection, print: String) {
    let Ok(mut runs) = link.client.subscribe(RUNS).await else { return };
    let (mut alive, mut time) = (HashSet::new(), std::pin::pin!(tokio::time::sleep(LISTEN)));
    loop {
        tokio::select! {
            () = &mut time => break,
            Some(message) = runs.next() => {
                if let Ok(run) = serde_json::from_slice::<AnnouncementHead>(&message.payload) {
                    alive.insert(run.status.id);
                }
            }
        }
    }
    let mut streams = link.stream.streams();
    while let Some(Ok(info)) = streams.next().await {
        let run = RunNames::of_stream(&info.config.name);
        let left = run.is_some_and(|names| !alive.contains(&names.id));
        let ours = info.config.description.as_ref() == Some(&print);
        if left && (ours || quiet(&info) > OLD) {
            let _ = link.stream.delete_stream(&info.config.name).await;
        }
    }
}

/// Seconds since anybody wrote to a stream, or made it.
fn quiet(info: &Info) -> f64 {
    let last = info.state.last_timestamp.unix_timestamp().max(info.created.unix_timestamp());
    now() - last as f64
}

/// Seconds since 1970.
pub(crate) fn now() -> f64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
