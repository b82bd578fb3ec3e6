//! Watches the client of a connection. A client reconnects by itself, with two exceptions. Its task
//! ends with a panic if a header of a message is damaged in a certain way; then every request fails,
//! and a new client is connected. And a damaged length lets one side wait for bytes that do not come,
//! for minutes; so the client sends itself messages, and reconnects if they do not arrive.

use std::sync::{Arc, Weak};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, Message, SubscribeError, Subscriber};
use futures_util::StreamExt;
use tokio::task::AbortHandle;
use tokio::time::MissedTickBehavior;

use crate::connection::SharedClient;
use crate::run_streams::RETRY_DELAY;

/// Interval of the messages that a client sends itself.
const ECHO_INTERVAL: Duration = Duration::from_secs(2);
/// Number of messages to itself that a client may miss before it reconnects.
const MAX_MISSED_ECHOES: u32 = 3;

/// Task that watches a client; ends when it is dropped.
pub(crate) struct WatchTask(AbortHandle);

impl WatchTask {
    pub(crate) fn start(shared: &Arc<SharedClient>) -> Self {
        WatchTask(tokio::spawn(watch(Arc::downgrade(shared))).abort_handle())
    }
}

impl Drop for WatchTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Replaces the client whenever it has ended.
async fn watch(shared: Weak<SharedClient>) {
    while let Some(client) = shared.upgrade().map(|shared| shared.client()) {
        wait_for_end(&client).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.ended();
        // Whatever the reason is, it may pass: the first client was accepted.
        while shared.replace().await.is_err() {
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
}

/// Waits until the task of a client has ended. Lets the client reconnect while it receives nothing.
async fn wait_for_end(client: &Client) {
    let inbox = client.new_inbox();
    let Ok(mut echoes) = client.subscribe(inbox.clone()).await else { return };
    let mut tick = tokio::time::interval(ECHO_INTERVAL);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // A user without the right to send itself messages gets none.
    let (mut echoes_arrive, mut missed) = (false, 0);
    loop {
        tokio::select! {
            echo = echoes.next() => {
                if echo.is_none() {
                    return;
                }
                (echoes_arrive, missed) = (true, 0);
            }
            _ = tick.tick() => {
                if client.connection_state() != State::Connected {
                    missed = 0;
                    continue;
                }
                let sent = if echoes_arrive && missed >= MAX_MISSED_ECHOES {
                    missed = 0;
                    client.force_reconnect().await.is_ok()
                } else {
                    missed += 1;
                    client.publish(inbox.clone(), "".into()).await.is_ok()
                };
                if !sent {
                    return;
                }
            }
        }
    }
}

/// A subscription that is made again with every new client of a connection.
pub(crate) struct LastingSubscription {
    shared: Arc<SharedClient>,
    subject: String,
    messages: Subscriber,
}

impl LastingSubscription {
    pub(crate) async fn open(
        shared: Arc<SharedClient>,
        subject: String,
    ) -> Result<Self, SubscribeError> {
        let messages = shared.client().subscribe(subject.clone()).await?;
        Ok(LastingSubscription { shared, subject, messages })
    }

    /// Returns the next message. May be dropped before it returns; no message is lost then.
    pub(crate) async fn next(&mut self) -> Message {
        loop {
            if let Some(message) = self.messages.next().await {
                return message;
            }
            if let Ok(messages) = self.shared.client().subscribe(self.subject.clone()).await {
                self.messages = messages;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
}
