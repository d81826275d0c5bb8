import type { Socket } from 'node:net';
import type { KnownPair } from '../../agent/pair-checker.ts';
import type { AccountSpeed, AccountSpeeds } from './account-speeds.ts';
import { type ShapedWrites, shapeWrites } from './shaped-writes.ts';

/** Holds one connection of a client to the speed limit of the account that pays for it. */
export interface ConnectionSpeed {
	/** Whether bytes of the connection wait for their turn. */
	readonly isWaiting: boolean;
	/** Holds what this pair says now: its limit may be new, another one, or none. */
	hold(pair: Pick<KnownPair, 'username' | 'bytesPerSecond'>): void;
	/** What the client sends goes to this socket. Call `forget` when that closes. */
	sendTo(target: Socket): void;
	forget(target: Socket): void;
	end(): void;
}

/** Without a limit, it touches no socket. */
export function createConnectionSpeed(client: Socket, speeds: AccountSpeeds): ConnectionSpeed {
	let account: AccountSpeed | undefined;
	let down: ShapedWrites | undefined;
	/** Those that were never held have none. */
	const ups = new Map<Socket, ShapedWrites | undefined>();

	function shape(): void {
		if (account) down ??= shapeWrites(client);
		down?.use(account?.down);
		for (const [target, known] of ups) {
			const up = known ?? (account && shapeWrites(target));
			up?.use(account?.up);
			ups.set(target, up);
		}
	}

	return {
		get isWaiting() {
			return down?.isWaiting === true || [...ups.values()].some((up) => up?.isWaiting);
		},
		hold({ username, bytesPerSecond }) {
			if (bytesPerSecond === undefined && !account) return;
			const before = account;
			// Of an account that no longer pays, the limit stays.
			if (before?.username === username) before.setSpeed(bytesPerSecond);
			if (before?.username === username && bytesPerSecond !== undefined) return;
			account = bytesPerSecond === undefined ? undefined : speeds.open(username);
			account?.setSpeed(bytesPerSecond);
			shape();
			before?.close();
		},
		sendTo(target) {
			if (ups.has(target)) return;
			const up = account && shapeWrites(target);
			up?.use(account?.up);
			ups.set(target, up);
		},
		forget(target) {
			ups.get(target)?.end();
			ups.delete(target);
		},
		end() {
			down?.end();
			for (const up of ups.values()) up?.end();
			account?.close();
			account = undefined;
		},
	};
}
