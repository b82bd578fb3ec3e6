//! The table of open connections: what each one does, since when, and which one is closed first.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::limits::ConnectionLimits;

/// What a connection does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConnectionPhase {
    /// The head of a request has not arrived completely.
    Head,
    /// The body of a request has not arrived completely.
    Body,
    /// A response is computed or sent.
    Answering,
    /// The last request is answered and no byte of another one has arrived.
    Idle,
}

/// Clients that are counted together: one IPv4 address, or one IPv6 network of 64 bits, which is
/// what one customer gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ClientNetwork(IpAddr);

impl ClientNetwork {
    fn of(address: IpAddr) -> Self {
        ClientNetwork(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            address => address,
        })
    }
}

/// Number of a connection.
type ConnectionId = u64;
/// Place in the order in which connections began to wait.
type WaitOrder = u64;

/// An open connection.
struct Connection {
    network: ClientNetwork,
    phase: ConnectionPhase,
    /// Whether the client does not read what is sent to it.
    stalled: bool,
    /// When the phase or the stall began.
    since: Instant,
    /// The place among the waiting connections; `None` while a request is answered.
    waits: Option<WaitOrder>,
    close: Arc<Notify>,
}

/// All open connections. A connection leaves the table when it is told to close.
pub(super) struct ConnectionTable {
    limits: ConnectionLimits,
    state: Mutex<TableState>,
}

#[derive(Default)]
struct TableState {
    /// The last number given to a connection or to a place in the order.
    last: u64,
    open: HashMap<ConnectionId, Connection>,
    /// The waiting connections of each network, the oldest first; no list is empty.
    waiting: HashMap<ClientNetwork, BTreeMap<WaitOrder, ConnectionId>>,
}

impl ConnectionTable {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        ConnectionTable { limits, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a new connection, which waits for the head of a request.
    pub(super) fn insert(table: &Arc<ConnectionTable>, client: IpAddr) -> ConnectionHandle {
        let close = Arc::new(Notify::new());
        let mut state = table.state();
        let id = state.next();
        let connection = Connection {
            network: ClientNetwork::of(client),
            phase: ConnectionPhase::Head,
            stalled: false,
            since: Instant::now(),
            waits: None,
            close: Arc::clone(&close),
        };
        state.open.insert(id, connection);
        state.update(id, |_| ());
        ConnectionHandle { id, close, table: Arc::clone(table) }
    }

    /// Closes the oldest waiting connection of the network that has most of them; returns `false`
    /// if no connection waits.
    pub(super) fn close_oldest(&self) -> bool {
        let mut state = self.state();
        let oldest = state.oldest();
        oldest.is_some_and(|id| state.close(id))
    }

    /// Closes the connections whose time is over.
    pub(super) fn close_expired(&self) {
        self.close_if(|connection| {
            connection.timeout(&self.limits).is_some_and(|most| connection.since.elapsed() >= most)
        });
    }

    /// Closes the connections without a request.
    pub(super) fn close_idle(&self) {
        self.close_if(|connection| {
            [ConnectionPhase::Head, ConnectionPhase::Idle].contains(&connection.phase)
        });
    }

    /// Closes all connections.
    pub(super) fn close_all(&self) {
        self.close_if(|_| true);
    }

    fn close_if(&self, mut condition: impl FnMut(&Connection) -> bool) {
        let mut state = self.state();
        let found: Vec<ConnectionId> =
            state.open.iter().filter(|(_, open)| condition(open)).map(|(id, _)| *id).collect();
        for id in found {
            state.close(id);
        }
    }

    #[cfg(test)]
    fn open(&self) -> usize {
        self.state().open.len()
    }
}

impl TableState {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Changes a connection and its place in the order: at the end if it waits, else none.
    fn update(&mut self, id: ConnectionId, change: impl FnOnce(&mut Connection)) {
        let order = self.next();
        let Some(mut connection) = self.open.remove(&id) else { return };
        self.leave_order(&connection);
        change(&mut connection);
        connection.since = Instant::now();
        connection.waits = connection.is_waiting().then_some(order);
        if let Some(order) = connection.waits {
            self.waiting.entry(connection.network).or_default().insert(order, id);
        }
        self.open.insert(id, connection);
    }

    fn leave_order(&mut self, connection: &Connection) {
        let Some(order) = connection.waits else { return };
        if let Some(list) = self.waiting.get_mut(&connection.network) {
            list.remove(&order);
            if list.is_empty() {
                self.waiting.remove(&connection.network);
            }
        }
    }

    /// Returns the connection that gives way to a new one.
    fn oldest(&self) -> Option<ConnectionId> {
        let first = |list: &BTreeMap<WaitOrder, ConnectionId>| {
            list.first_key_value().map(|(order, id)| (*order, *id))
        };
        let fullest = self.waiting.values().max_by_key(|list| {
            // Of two networks with as many connections, the one with the older connection.
            (list.len(), first(list).map(|(order, _)| std::cmp::Reverse(order)))
        });
        fullest.and_then(first).map(|(_, id)| id)
    }

    /// Tells a connection to close; returns `false` if there is none with this number.
    fn close(&mut self, id: ConnectionId) -> bool {
        let Some(connection) = self.open.remove(&id) else { return false };
        self.leave_order(&connection);
        connection.close.notify_one();
        true
    }
}

impl Connection {
    /// Returns whether the connection waits for its client.
    fn is_waiting(&self) -> bool {
        self.stalled || self.phase != ConnectionPhase::Answering
    }

    /// Returns how long the connection may wait, or `None` if it does not wait.
    fn timeout(&self, limits: &ConnectionLimits) -> Option<Duration> {
        match self.phase {
            _ if self.stalled => Some(limits.write),
            ConnectionPhase::Head => Some(limits.head),
            ConnectionPhase::Idle => Some(limits.idle),
            // The body itself fails first, so that the client is told.
            ConnectionPhase::Body => Some(limits.body * 2),
            ConnectionPhase::Answering => None,
        }
    }
}

/// The entry of one connection, removed when this is dropped.
pub(super) struct ConnectionHandle {
    id: ConnectionId,
    close: Arc<Notify>,
    table: Arc<ConnectionTable>,
}

impl ConnectionHandle {
    /// Waits until the connection has to close.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }

    /// Enters a phase; nothing changes if it is the present one.
    pub(super) fn enter(&self, phase: ConnectionPhase) {
        self.change(|connection| connection.phase != phase, |connection| connection.phase = phase);
    }

    /// Notes that bytes have arrived: the head of the next request has begun.
    pub(super) fn received(&self) {
        self.change(
            |connection| connection.phase == ConnectionPhase::Idle,
            |connection| connection.phase = ConnectionPhase::Head,
        );
    }

    /// Notes whether the client does not read what is sent to it.
    pub(super) fn set_stalled(&self, stalled: bool) {
        self.change(
            |connection| connection.stalled != stalled,
            |connection| connection.stalled = stalled,
        );
    }

    fn change(
        &self,
        condition: impl FnOnce(&Connection) -> bool,
        change: impl FnOnce(&mut Connection),
    ) {
        let mut state = self.table.state();
        if state.open.get(&self.id).is_some_and(condition) {
            state.update(self.id, change);
        }
    }
}

impl Drop for ConnectionHandle {
    fn drop(&mut self) {
        self.table.state().close(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(limits: ConnectionLimits) -> Arc<ConnectionTable> {
        Arc::new(ConnectionTable::new(limits))
    }

    fn connect(table: &Arc<ConnectionTable>, address: &str) -> ConnectionHandle {
        ConnectionTable::insert(table, address.parse().expect("an address"))
    }

    fn is_open(handle: &ConnectionHandle) -> bool {
        handle.table.state().open.contains_key(&handle.id)
    }

    #[test]
    fn the_oldest_connection_of_the_fullest_network_gives_way() {
        let table = table(ConnectionLimits::default());
        let guest = connect(&table, "192.0.2.9");
        let flood: Vec<_> = (0..3).map(|_| connect(&table, "192.0.2.1")).collect();
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"];
        let network: Vec<_> = addresses.iter().map(|one| connect(&table, one)).collect();
        assert!(table.close_oldest());
        assert!(!is_open(&network[0]), "four of one network are the most");
        assert!(table.close_oldest());
        assert!(!is_open(&flood[0]), "three and three, and the first ones are older");
        for _ in 0..4 {
            assert!(table.close_oldest());
        }
        assert!(is_open(&network[3]) && is_open(&flood[2]));
        assert!(!is_open(&guest), "one of each are left, and it was the oldest");
        assert!(table.close_oldest() && table.close_oldest() && !table.close_oldest());
        assert_eq!(table.open(), 0);
    }

    #[test]
    fn a_connection_whose_request_is_answered_does_not_give_way() {
        let table = table(ConnectionLimits::default());
        let stream = connect(&table, "127.0.0.1");
        stream.enter(ConnectionPhase::Answering);
        assert!(!table.close_oldest());
        let half_open = connect(&table, "127.0.0.1");
        assert!(table.close_oldest() && !is_open(&half_open) && is_open(&stream));
        stream.set_stalled(true);
        stream.set_stalled(false);
        assert!(!table.close_oldest());
        stream.set_stalled(true);
        assert!(table.close_oldest() && !is_open(&stream), "its client does not read");
    }

    #[test]
    fn sending_bytes_of_a_head_does_not_make_a_connection_younger() {
        let table = table(ConnectionLimits::default());
        let [slow, idle] = [(), ()].map(|()| connect(&table, "127.0.0.1"));
        idle.enter(ConnectionPhase::Answering);
        idle.enter(ConnectionPhase::Idle);
        slow.received();
        assert!(table.close_oldest() && !is_open(&slow) && is_open(&idle));
    }

    #[test]
    fn every_wait_ends_and_an_answer_does_not() {
        let short = Duration::ZERO;
        let limits = ConnectionLimits {
            head: short,
            body: short,
            idle: short,
            write: short,
            ..ConnectionLimits::default()
        };
        let table = table(limits);
        let phases = [ConnectionPhase::Head, ConnectionPhase::Body, ConnectionPhase::Idle];
        let waiting: Vec<_> = phases
            .map(|phase| {
                let handle = connect(&table, "127.0.0.1");
                handle.enter(phase);
                handle
            })
            .into();
        let [stalled, answering] = [(), ()].map(|()| connect(&table, "127.0.0.1"));
        stalled.enter(ConnectionPhase::Answering);
        stalled.set_stalled(true);
        answering.enter(ConnectionPhase::Answering);
        table.close_expired();
        assert!(waiting.iter().all(|handle| !is_open(handle)) && !is_open(&stalled));
        assert!(is_open(&answering));
        drop(answering);
        assert_eq!((table.open(), table.state().waiting.len()), (0, 0));
    }
}
