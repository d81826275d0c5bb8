import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { createLineSplitter, type LineSplitter } from '../split-lines.ts';
import { readAccessLogLine } from './access-log-line.ts';
import { type CounterNow, createLogCounters, type LogCounters } from './usage-counters.ts';

/** A log that is read from its beginning, while it grows. */
export interface LogFile {
	/** Reads some more. Resolves to the counters that changed; `undefined` if there is nothing new. */
	readSome(): Promise<ReadonlyMap<string, CounterNow> | undefined>;
	close(): Promise<void>;
}

const CHUNK_BYTES = 1 << 18;
/**
 * Our lines have about 150 characters.
 * @bound Bytes of a line of the log of Squid: only the beginning of a longer one is read.
 */
const MAX_LINE = 1 << 12;
/** More than the first line, which no other log has. */
const HEAD_BYTES = 512;

/**
 * The name of a log is a digest of its first line, which no other log has: it holds times and a port. So a log keeps
 * its name when it is rotated, and has another one after it was emptied.
 */
export function createLogFile(handle: FileHandle, onUnreadable: () => void): LogFile {
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	let position = 0;
	/** The first bytes of the log, as far as they were read. */
	let head = Buffer.alloc(0);
	let lines: LineSplitter = createLineSplitter(MAX_LINE);
	let counters: LogCounters | undefined;

	function begin(): void {
		position = 0;
		head = Buffer.alloc(0);
		lines = createLineSplitter(MAX_LINE);
		counters = undefined;
	}

	/** Whether the file was emptied, even if it has grown since. */
	async function isAnother(): Promise<boolean> {
		const present = Buffer.alloc(head.length);
		await handle.read(present, 0, head.length, 0);
		return !present.equals(head);
	}

	function take(line: string, changed: Map<string, CounterNow>): void {
		counters ??= createLogCounters(hash('sha256', Buffer.from(line, 'latin1'), 'base64url').slice(0, 22));
		const request = readAccessLogLine(line);
		if (request === 'unreadable') onUnreadable();
		else if (request) {
			const now = counters.add(request);
			changed.set(now.counter, now);
		}
	}

	return {
		async readSome() {
			if (await isAnother()) begin();
			const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
			if (bytesRead === 0) return undefined;
			const missing = Math.max(0, Math.min(bytesRead, HEAD_BYTES - head.length));
			head = Buffer.concat([head, buffer.subarray(0, missing)]);
			position += bytesRead;
			const changed = new Map<string, CounterNow>();
			for (const line of lines.push(buffer.subarray(0, bytesRead))) take(line, changed);
			return changed;
		},
		close: () => handle.close(),
	};
}
