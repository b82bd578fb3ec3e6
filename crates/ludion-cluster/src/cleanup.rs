//! Deletes the streams of runs whose coordinator was killed. The coordinator of the next run does
//! this: it deletes the streams of runs that are not announced, at once if they belong to the same
//! run, which is being resumed, otherwise after a day without messages. A coordinator that was only
//! disconnected for that long creates its streams again.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::stream::Info;
use futures_util::StreamExt;

use crate::connection::Connection;
use crate::wire::{AnnouncementHeader, RUNS_SUBJECT, RunSubjects};

/// Time for which announcements of runs are collected before streams without one are deleted.
const LISTEN_TIME: Duration = Duration::from_secs(5);
/// Seconds without messages after which an unannounced stream is deleted.
const MAX_IDLE_SECONDS: f64 = 24.0 * 3600.0;

/// Deletes the streams of abandoned runs; `fingerprint` identifies the job specification of the run
/// about to start.
pub(crate) async fn delete_abandoned_streams(connection: Connection, fingerprint: String) {
    let Ok(mut announcements) = connection.client().subscribe(RUNS_SUBJECT).await else { return };
    let mut announced = HashSet::new();
    let mut timeout = std::pin::pin!(tokio::time::sleep(LISTEN_TIME));
    loop {
        tokio::select! {
            () = &mut timeout => break,
            Some(message) = announcements.next() => {
                if let Ok(run) = serde_json::from_slice::<AnnouncementHeader>(&message.payload) {
                    announced.insert(run.status.id);
                }
            }
        }
    }
    let mut streams = connection.jetstream().streams();
    while let Some(Ok(info)) = streams.next().await {
        let run = RunSubjects::from_stream(&info.config.name);
        let abandoned = run.is_some_and(|run| !announced.contains(&run.id));
        let same_run = info.config.description.as_ref() == Some(&fingerprint);
        if abandoned && (same_run || idle_seconds(&info) > MAX_IDLE_SECONDS) {
            let _ = connection.jetstream().delete_stream(&info.config.name).await;
        }
    }
}

/// Returns the seconds since the last message of a stream, or since its creation.
fn idle_seconds(info: &Info) -> f64 {
    let last = info.state.last_timestamp.unix_timestamp().max(info.created.unix_timestamp());
    unix_time() - last as f64
}

/// Returns the current Unix time in seconds.
pub(crate) fn unix_time() -> f64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
