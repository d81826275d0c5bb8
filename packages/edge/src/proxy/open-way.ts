import type { ClientConnection } from './client/client-connection.ts';
import type { Way } from './route.ts';
import { joinTunnel, openTunnel, type TunnelEvents } from './target/tunnel.ts';
import { unreachable } from './target/unreachable.ts';
import { connectThrough } from './upstream/connect-through.ts';

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
		openTunnel(socket, way.to, events);
		return;
	}
	connectThrough(way.exit, way.to, addTarget).then((target) => {
		if (socket.destroyed) return void target.destroy();
		speed.sendTo(target);
		opened();
		joinTunnel(socket, target, events);
	}, events.failed);
}
