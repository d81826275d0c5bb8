import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '@bursar/testing/postgres-server';
import { listProcesses } from '@bursar/testing/processes';
import type { LoadCase } from './load.ts';
import { openLoad } from './open-load.ts';
import { processorMs } from './processor-time.ts';
import { median } from './report.ts';

/** A number of processes, and how many connections they share. */
export interface SharedLoad {
	readonly processes: number;
	readonly connections: number;
}

/** Times are processor times of one request, in microseconds. */
export interface ProcessesResult extends SharedLoad {
	readonly serviceMicroseconds: number;
	readonly postgresMicroseconds: number;
}

export interface ProcessesCase {
	readonly load: LoadCase;
	readonly rounds: number;
	readonly sliceMs: number;
}

interface Service {
	readonly url: string;
	readonly pid: number;
}

/** So many rounds warm up. */
const WARM_UP_ROUNDS = 5;

/** Lets these numbers of processes work in turns. */
export async function compareProcesses(
	server: PostgresServer,
	services: readonly Service[],
	sharedLoads: readonly SharedLoad[],
	{ load, rounds, sliceMs }: ProcessesCase,
): Promise<readonly ProcessesResult[]> {
	const groups = await Promise.all(
		sharedLoads.map(async (shared) => {
			const used = services.slice(0, shared.processes);
			const connections = Math.ceil(shared.connections / shared.processes);
			const loads = await Promise.all(used.map(({ url }) => openLoad(url, load, connections)));
			return { shared, used, loads, service: [] as number[], postgres: [] as number[] };
		}),
	);
	try {
		for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
			for (const { used, loads, service, postgres } of groups) {
				const serviceMs = () => sum(used.map(({ pid }) => processorMs(pid)));
				const [serviceBefore, postgresBefore] = [serviceMs(), postgresTimes(server)];
				const slices = await Promise.all(loads.map(({ run }) => run(sliceMs)));
				const requests = sum(slices.map((slice) => slice.requests));
				if (round < 0) continue;
				service.push(((serviceMs() - serviceBefore) * 1000) / requests);
				postgres.push((msSince(postgresBefore, postgresTimes(server)) * 1000) / requests);
			}
		}
	} finally {
		for (const { loads } of groups) for (const { close } of loads) close();
	}
	return groups.map(({ shared, service, postgres }) => ({
		...shared,
		serviceMicroseconds: median(service),
		postgresMicroseconds: median(postgres),
	}));
}

/** How long each process of the server has used processors so far, in milliseconds. */
function postgresTimes({ folder }: PostgresServer): ReadonlyMap<number, number> {
	const postmaster = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
	const children = listProcesses().filter(({ parentId }) => parentId === postmaster);
	return new Map(children.map(({ id }) => [id, processorMs(id)]));
}

/** Connections that are idle for long end, and others begin. */
function msSince(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
	return sum(Array.from(after, ([id, ms]) => ms - (before.get(id) ?? 0)));
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
