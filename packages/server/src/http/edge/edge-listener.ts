import { edgeOpenApiDocument, edgeRoutes, MAX_EDGE_BODY_BYTES, MAX_JOIN_BODY_BYTES } from '@bursar/contract/edge';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Bank } from '../../bank/bank.ts';
import type { EdgeUses } from '../../bank/edge-uses.ts';
import type { Edge } from '../../domain/edge.ts';
import { BYTES_PER_MS_OF_GBPS } from '../../domain/usage-pace.ts';
import type { EdgeReads } from '../../store/tables/edges/edges.ts';
import type { SignInReads } from '../../store/tables/sign-in/reads.ts';
import { documentRoutes } from '../docs/document-routes.ts';
import { limitBodies, type SharedLimit } from '../server/bodies/body.ts';
import { createBodyBudget } from '../server/bodies/body-budget.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { COMMON_LIMITS, type RequestTimeouts } from '../server/limits.ts';
import { createListener, type ListenerOptions } from '../server/listener.ts';
import type { RequestMetrics } from '../server/observation.ts';
import { createAddressChecks } from './address-checks.ts';
import { EDGE_ANSWERS } from './answers.ts';
import { createEdgeDirectory } from './edge-directory.ts';
import { createPairChecks } from './pair-checks.ts';
import { requireEdge } from './require-edge.ts';
import { checkRoute } from './routes/check.ts';
import { joinRoute } from './routes/join.ts';
import { usageRoute } from './routes/usage.ts';

export interface EdgeDependencies extends Pick<ListenerOptions, 'logger' | 'nowMs'> {
	readonly metrics: RequestMetrics;
	readonly addressOf: ClientAddresses;
	readonly store: EdgeReads & SignInReads;
	readonly bank: Pick<Bank, 'recordUsage' | 'changePerson' | 'keep'>;
	readonly uses: EdgeUses;
	/** The most that an edge can carry in each direction, in Gbit/s. */
	readonly maxGbps: number;
	/** 32 bytes, by which `key_id` is made. */
	readonly keyIdSecret: Uint8Array;
	/** Of the software. */
	readonly version: string;
	/** For tests. */
	readonly requestTimeouts?: RequestTimeouts | undefined;
}

export interface EdgeListener {
	readonly app: FastifyInstance;
	/** All edges, as they were about a second ago. */
	readonly edges: readonly Edge[];
	/** Reads `edges` and the valid keys anew. Never rejects. */
	readEdges(): Promise<boolean>;
}

export const EDGE_LIMITS = {
	...COMMON_LIMITS,
	bodyBytes: MAX_EDGE_BODY_BYTES,
	/**
	 * An edge needs few connections, and each may send a large body.
	 * @bound Connections of edges: further ones are refused.
	 */
	connections: 1_024,
};

/** @bound Memory for all bodies above 16 KiB: further ones are answered `unavailable`. */
const BODIES_BYTES = 64 << 20;
/** @bound The same of one edge: further ones of it are answered `unavailable`. */
const BODIES_OF_EDGE_BYTES = 16 << 20;

const AWAY = 'the store cannot be asked about pairs: those that were good stay good for 15 minutes';

/** The listener of the proxy hosts: they check pairs, and report bytes. Reads the edges before it listens. */
export function createEdgeListener(dependencies: EdgeDependencies): EdgeListener {
	const { store, bank, uses, maxGbps, keyIdSecret, logger, metrics, addressOf, nowMs, version } = dependencies;
	const edgeBytesPerMs = maxGbps * BYTES_PER_MS_OF_GBPS;
	const directory = createEdgeDirectory(store);
	const pairChecks = createPairChecks({
		store,
		secret: keyIdSecret,
		nowMs,
		onAway: (err) => logger.warn({ err }, AWAY),
		onBack: () => logger.info('the store can be asked about pairs again'),
	});
	const isSignInUsed = () => directory.isSignInUsed;
	const addressChecks = createAddressChecks({ store, pairChecks, isUsed: isSignInUsed, secret: keyIdSecret });
	const limits = { ...EDGE_LIMITS, ...dependencies.requestTimeouts };
	const observation = { metrics, addressOf, callerOf };
	const app = createListener({ limits, answers: EDGE_ANSWERS, logger, observation, nowMs });
	app.addHook('onReady', async () => void (await directory.read()));
	app.addHook('onClose', async () => {
		directory.close();
		pairChecks.close();
	});
	void app.register(documentRoutes, {
		title: 'Bursar edge protocol',
		openApi: edgeOpenApiDocument(version),
		routes: edgeRoutes,
	});
	const sharedLimit: SharedLimit = {
		budget: createBodyBudget({ most: BODIES_BYTES, mostOfOwner: BODIES_OF_EDGE_BYTES }),
		ownerOf: ({ edge }) => edge.name,
	};
	void app.register(async (scope) => {
		limitBodies(scope, MAX_EDGE_BODY_BYTES, sharedLimit);
		requireEdge(scope, { directory, uses, nowMs });
		checkRoute(scope, { pairChecks, addressChecks, isSignInUsed });
		usageRoute(scope, { bank, edgeBytesPerMs, nowMs });
	});
	void app.register(async (scope) => {
		limitBodies(scope, MAX_JOIN_BODY_BYTES);
		joinRoute(scope, { bank, directory, addressOf });
	});
	return {
		app,
		get edges() {
			return directory.edges;
		},
		readEdges: directory.read,
	};
}

/** `edge` is absent before authentication. */
function callerOf({ edge }: { readonly edge?: FastifyRequest['edge'] | null }) {
	return { edge: edge?.name };
}
