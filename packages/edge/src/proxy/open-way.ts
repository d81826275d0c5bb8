import type { OnReadOpts } from 'node:net';
import type { ClientConnection } from './client/client-connection.ts';
import { dialFrom } from './from/dial-from.ts';
import type { OutgoingChoice } from './from/outgoing.ts';
import type { Way } from './route.ts';
import { joinTunnel, openTunnel, openTunnelBy, type TunnelEvents } from './target/tunnel.ts';
import { unreachable } from './target/unreachable.ts';
import { openThroughExits } from './upstream/tries.ts';

/** Opens a tunnel for a client, and tells the client's connection why it ends. */
export function openWay(
	connection: ClientConnection,
	way: Way,
	{ opened, failed }: Pick<TunnelEvents, 'opened' | 'failed'>,
): void {
	const { socket, addTarget, speed } = connection;
	const events: TunnelEvents = {
		connecting(target) {
			addTarget(target);
			speed.sendTo(target);
		},
		opened,
		failed(error) {
			connection.endsBecause(unreachable(error).status === 504 ? 'gateway_timeout' : 'bad_gateway');
			failed(error);
		},
		ended: (by) => connection.endsBecause(`closed_by_${by}`),
	};
	if (way.kind === 'direct') {
		const { to, from } = way;
		const dialing = { connecting: addTarget, leaves: connection.leavesFrom };
		const dialNow = async (choice: OutgoingChoice, onread: OnReadOpts) => {
			const target = await dialFrom(to, choice, dialing, { allowHalfOpen: true, onread });
			speed.sendTo(target);
			return target;
		};
		if (from) openTunnelBy(socket, (onread) => dialNow(from, onread), events);
		else openTunnel(socket, to, events);
		return;
	}
	openThroughExits(way, addTarget).then((target) => {
		if (socket.destroyed) return void target.destroy();
		speed.sendTo(target);
		opened();
		joinTunnel(socket, target, events);
	}, events.failed);
}
