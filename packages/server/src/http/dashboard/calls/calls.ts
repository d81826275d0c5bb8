import {
	CALLS,
	type DashboardChanges,
	type DashboardFiles,
	type DashboardReads,
	type OpenPath,
} from '@bursar/contract/dashboard';
import { BODIES, type BodyOf, LARGE_BODIES, QUERIES, type QueryOf } from '@bursar/contract/dashboard-schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { DecodeUnsafe } from 'typebox/value';
import { jsonBodyOf, type SharedLimit } from '../../server/bodies/body.ts';
import { createBodyBudget } from '../../server/bodies/body-budget.ts';
import { sendData } from '../../server/envelope.ts';
import type { CsvFile, CsvFiles } from '../files/csv-files.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Call, PersonCall, Reply } from './call.ts';
import { sendRefusal } from './refusals.ts';
import { refuseOtherSites } from './require-same-origin.ts';

/** Declares how the calls of the contract are answered. Who may make each stands in `CALLS`. */
export interface Calls {
	/** A read for everybody. */
	openRead<Path extends keyof DashboardReads & OpenPath>(path: Path, answer: ReadAnswer<Call, Path>): void;
	/** A change for everybody. */
	openChange<Path extends keyof DashboardChanges & OpenPath>(path: Path, answer: ChangeAnswer<Call, Path>): void;
	read<Path extends Exclude<keyof DashboardReads, OpenPath>>(path: Path, answer: ReadAnswer<PersonCall, Path>): void;
	change<Path extends Exclude<keyof DashboardChanges, OpenPath>>(
		path: Path,
		answer: ChangeAnswer<PersonCall, Path>,
	): void;
	/** A file to download. */
	file<Path extends Exclude<keyof DashboardFiles, OpenPath>>(
		path: Path,
		answer: (query: QueryOf<Path>, call: PersonCall) => Promise<Reply<CsvFile>>,
	): void;
	/** The methods of each declared path, as in the `Allow` header. */
	readonly methods: ReadonlyMap<string, string>;
}

type ReadAnswer<Made, Path extends keyof DashboardReads> = (
	query: QueryOf<Path>,
	call: Made,
) => Promise<Reply<DashboardReads[Path]['answer']>>;
type ChangeAnswer<Made, Path extends keyof DashboardChanges> = (
	body: BodyOf<Path>,
	call: Made,
) => Promise<Reply<DashboardChanges[Path]['answer']>>;

interface CallDependencies {
	readonly sessions: Pick<Sessions, 'find'>;
	readonly files: CsvFiles;
	readonly nowMs: () => number;
}

/** @bound Bytes of large bodies that the service reads at once, in total and of one person: others are refused as `unavailable`. */
const LARGE_BODIES_AT_ONCE = { most: 1024 * 1024, mostOfOwner: 256 * 1024 };

export function createCalls(app: FastifyInstance, dependencies: CallDependencies): Calls {
	const { nowMs, files } = dependencies;
	const methods = new Map<string, string>();
	const largeBodies: SharedLimit = {
		budget: createBodyBudget(LARGE_BODIES_AT_ONCE),
		ownerOf: ({ caller }) => caller?.record.person.id ?? '',
	};

	function send(reply: FastifyReply, answer: Reply<unknown>): FastifyReply {
		return 'refused' in answer ? sendRefusal(reply, answer, nowMs()) : sendData(reply, answer.data, nowMs());
	}

	function get<Path extends keyof (DashboardReads & DashboardFiles)>(
		path: Path,
		onRequest: Hooks,
		answer: (query: QueryOf<Path>, call: Call) => Promise<FastifyReply>,
	): void {
		methods.set(path, 'GET, HEAD');
		const readQuery = queryReader(path);
		app.get(path, { onRequest }, async (request, reply) => {
			const query = readQuery(request.query);
			return query ? answer(query, { request, reply }) : send(reply, { refused: 'invalid_query' });
		});
	}

	function read<Path extends keyof DashboardReads>(path: Path, onRequest: Hooks, answer: ReadAnswer<Call, Path>): void {
		get(path, onRequest, async (query, call) => send(call.reply, await answer(query, call)));
	}

	function change<Path extends keyof DashboardChanges>(
		path: Path,
		onRequest: Hooks,
		answer: ChangeAnswer<Call, Path>,
	): void {
		methods.set(path, 'POST');
		const check: Pick<Validator, 'Check'> = Compile(BODIES[path]);
		const maxBytes = LARGE_BODIES[path];
		// Set after the session was checked: nobody else may send that much.
		const allowLarge = async (request: FastifyRequest): Promise<void> => {
			if (maxBytes !== undefined) request.bodyLimits = { maxBytes, shared: largeBodies };
		};
		app.post(path, { onRequest: [...onRequest, allowLarge] }, async (request, reply) => {
			const body = jsonBodyOf(request, { lenient: false });
			if ('refused' in body) return send(reply, body);
			if (!check.Check(body.value)) return send(reply, { refused: 'invalid_request' });
			return send(reply, await answer(body.value as BodyOf<Path>, { request, reply }));
		});
	}

	return {
		openRead: (path, answer) => read(path, [], answer),
		openChange: (path, answer) => change(path, [], answer),
		read: (path, answer) =>
			read(path, [requireSession(dependencies, { right: CALLS[path].right })], (query, call) =>
				answer(query, withCaller(call)),
			),
		change: (path, answer) =>
			change(
				path,
				[requireSession(dependencies, { right: CALLS[path].right, proof: CALLS[path].proof })],
				(body, call) => answer(body, withCaller(call)),
			),
		file: (path, answer) => {
			const session = requireSession(dependencies, { right: CALLS[path].right });
			get(path, [refuseOtherSites(dependencies), session], async (query, anyCall) => {
				const call = withCaller(anyCall);
				const file = await answer(query, call);
				const refused = 'refused' in file ? file : await files.send(call, file.data);
				return refused ? sendRefusal(call.reply, refused, nowMs()) : call.reply;
			});
		},
		methods,
	};
}

type Hooks = Extract<RouteOptions['onRequest'], readonly unknown[]>;

function withCaller(call: Call): PersonCall {
	const { caller } = call.request;
	if (!caller) throw new Error('a call for people was reached without a session');
	return { ...call, caller };
}

/**
 * Returns the function that reads the query of a call. It returns `undefined` if a value is wrong, missing or repeated,
 * or if the call does not have it.
 */
function queryReader<Path extends keyof typeof QUERIES>(path: Path): (query: unknown) => QueryOf<Path> | undefined {
	const schema: TObject = QUERIES[path];
	const check = Compile(schema);
	return (query) => (check.Check(query) ? (DecodeUnsafe({}, schema, query) as QueryOf<Path>) : undefined);
}
