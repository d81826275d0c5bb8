import type { Socket } from 'node:net';
import type { KnownPair } from '../../agent/pair-checker.ts';
import type { AccountSpeed, AccountSpeeds } from './account-speeds.ts';
import { type ShapedWrites, shapeWrites } from './shaped-writes.ts';

/** Holds one connection of a client to the speed limit of the account that pays for it. */
export interface ConnectionSpeed {
	/** Whether bytes of the connection wait for their turn. */
	isWaiting(): boolean;
	/** Holds what this pair says now: its limit may be new, another one, or none. */
	hold(pair: Pick<KnownPair, 'username' | 'bytesPerSecond'>): void;
	/** What the client sends goes to this socket from now on. */
	sendTo(target: Socket): void;
	/** The connection is closed. */
	end(): void;
}

/** Without a limit, it touches no socket. */
export function createConnectionSpeed(client: Socket, speeds: AccountSpeeds): ConnectionSpeed {
	let account: AccountSpeed | undefined;
	let down: ShapedWrites | undefined;
	let target: Socket | undefined;
	let up: ShapedWrites | undefined;

	function shape(): void {
		if (account) down ??= shapeWrites(client);
		down?.use(account?.down);
		if (account && target) up ??= shapeWrites(target);
		up?.use(account?.up);
	}

	return {
		isWaiting: () => down?.isWaiting === true || up?.isWaiting === true,
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
		sendTo(next) {
			if (next === target) return;
			// Nothing is sent to the previous one any more.
			up?.use(undefined);
			up = undefined;
			target = next;
			if (account) shape();
		},
		end() {
			down?.end();
			up?.end();
			account?.close();
			account = undefined;
		},
	};
}
