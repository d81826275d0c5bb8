import { STORE_AWAY_MS } from '@bursar/contract/edge';
import { hashSecret } from '../../credentials.ts';
import type { Edge } from '../../domain/edge.ts';
import { StoreUnavailableError } from '../../store/reading.ts';
import type { EdgeReads } from '../../store/tables/edges/edges.ts';
import type { SignInReads } from '../../store/tables/sign-in/reads.ts';

const READ_MS = 1_000;

/** All edges, as they were about a second ago. */
export interface EdgeDirectory {
	/** The name of the edge that has this key. Throws `StoreUnavailableError` if the edges are not known. */
	edgeOf(key: string): string | undefined;
	readonly edges: readonly Edge[];
	/** Whether any account may sign in by address. */
	readonly isSignInUsed: boolean;
	/** The name of the edge whose link has this hash. The link may be used or too old. */
	edgeOfLink(linkHash: string): string | undefined;
	/** Reads the edges as they are now. All that wait share one read. `false` if the store cannot be asked. Never rejects. */
	read(): Promise<boolean>;
	close(): void;
}

/**
 * Reads all edges every second, so a revoked key is refused after about a second. If the store cannot be asked, the last
 * edges count for 15 minutes, like the pairs of accounts.
 */
export function createEdgeDirectory(
	store: Pick<EdgeReads, 'listEdges'> & Pick<SignInReads, 'isSignInUsed'>,
	{ readMs = READ_MS, monotonicMs = () => performance.now() } = {},
): EdgeDirectory {
	let edges: readonly Edge[] = [];
	let isSignInUsed = false;
	let names: ReadonlyMap<string, string> = new Map();
	/** The hashes of the valid keys that were sent: a hash costs more than everything else here. */
	const hashes = new Map<string, string>();
	let readAtMs = Number.NEGATIVE_INFINITY;
	let links: ReadonlyMap<string, string> = new Map();
	let reading: Promise<boolean> | undefined;
	let next: Promise<boolean> | undefined;

	async function readAll(): Promise<boolean> {
		const startedAtMs = monotonicMs();
		try {
			[edges, isSignInUsed] = await Promise.all([store.listEdges(), store.isSignInUsed()]);
			names = new Map(edges.flatMap(({ name, keyHash }) => (keyHash === null ? [] : [[keyHash, name]])));
			links = new Map(edges.flatMap(({ name, linkHash }) => (linkHash === null ? [] : [[linkHash, name]])));
			for (const [key, hash] of hashes) if (!names.has(hash)) hashes.delete(key);
			readAtMs = startedAtMs;
			return true;
		} catch {
			// The store cannot be asked. The last edges count until they are too old.
			return false;
		}
	}

	function begin(): Promise<boolean> {
		reading = readAll().finally(() => {
			reading = undefined;
		});
		return reading;
	}

	function read(): Promise<boolean> {
		if (!reading) return begin();
		// What is being read may be older than this call.
		next ??= reading.then(() => {
			next = undefined;
			return begin();
		});
		return next;
	}
	// While the store hangs, no further reads wait for it.
	const timer = setInterval(() => void (reading ?? read()), readMs);
	timer.unref();

	return {
		edgeOf(key) {
			if (monotonicMs() - readAtMs >= STORE_AWAY_MS) throw new StoreUnavailableError('the edges cannot be read');
			const known = hashes.get(key);
			if (known !== undefined) return names.get(known);
			const hash = hashSecret(key);
			const name = names.get(hash);
			if (name !== undefined) hashes.set(key, hash);
			return name;
		},
		edgeOfLink: (linkHash) => links.get(linkHash),
		get edges() {
			return edges;
		},
		get isSignInUsed() {
			return isSignInUsed;
		},
		read,
		close: () => clearInterval(timer),
	};
}
