import type { OnReadOpts } from 'node:net';
import type { ClientConnection } from './client/client-connection.ts';
import { dialFrom } from './from/dial-from.ts';
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
	if (way.kind === 'exit') {
		openThroughExits(way, addTarget).then((target) => {
			if (socket.destroyed) return void target.destroy();
			speed.sendTo(target);
			opened();
			joinTunnel(socket, target, events);
		}, events.failed);
		return;
	}
	const { to, from } = way;
	if (!from) return void openTunnel(socket, to, events);
	const dialing = async (onread: OnReadOpts) => {
		const dialEvents = { connecting: addTarget, leaves: connection.leavesFrom };
		const target = await dialFrom(to, from, dialEvents, { allowHalfOpen: true, onread });
		speed.sendTo(target);
		return target;
	};
	openTunnelBy(socket, dialing, events);
}
