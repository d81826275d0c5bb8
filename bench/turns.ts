import { median, type Spread, spreadOf } from './spread.ts';

/** One of the programs that are compared. */
export interface Contender {
	readonly name: string;
	/** Several instances: each start of a process has a speed of its own. */
	readonly copies: readonly Copy[];
}

interface Copy {
	/** Works for about that time. */
	work(ms: number): Promise<Work>;
	/** The processor time so far of everything that works for it. The clients are left out. */
	processorMs(): number;
	/** Work before each turn that is not measured. */
	prepare?(): Promise<void>;
}

export interface Work {
	/** How many requests, transfers or reports it did. */
	readonly units: number;
	readonly seconds: number;
}

export interface Turns {
	/** In each round, each copy of each contender has one turn. */
	readonly rounds: number;
	readonly turnMs: number;
	/** This many rounds come first and are not counted. */
	readonly warmUpRounds: number;
}

/** Medians of all rounds. Each ratio is of one and the same round. */
export interface Comparison {
	readonly reference: string;
	/** Units a second. */
	readonly rates: { readonly reference: number; readonly ours: number; readonly ratio: Spread };
	/** Microseconds of processor time for each unit. */
	readonly times: { readonly reference: number; readonly ours: number; readonly ratio: Spread };
}

/**
 * Compares `ours` with each reference. All work in turns within one run: the speed of a machine changes from one second
 * to the next, so what was measured at different times cannot be compared.
 */
export async function compareInTurns(
	ours: Contender,
	references: readonly Contender[],
	{ rounds, turnMs, warmUpRounds }: Turns,
): Promise<readonly Comparison[]> {
	const contenders = [ours, ...references];
	const measured = new Map<Contender, Speed[]>(contenders.map((contender) => [contender, []]));
	for (let round = -warmUpRounds; round < rounds; round++) {
		// The order changes each round, so that no contender always goes first.
		for (const contender of round % 2 ? contenders : contenders.toReversed()) {
			const speed = await measure(contender, turnMs);
			if (round >= 0) measured.get(contender)?.push(speed);
		}
	}
	return references.map((reference) => {
		const own = measured.get(ours) as readonly Speed[];
		const others = measured.get(reference) as readonly Speed[];
		const compare = (of: keyof Speed) => ({
			reference: median(others.map((speed) => speed[of])),
			ours: median(own.map((speed) => speed[of])),
			ratio: spreadOf(own.map((speed, round) => speed[of] / (others[round] as Speed)[of])),
		});
		return { reference: reference.name, rates: compare('rate'), times: compare('microseconds') };
	});
}

interface Speed {
	readonly rate: number;
	readonly microseconds: number;
}

async function measure({ copies }: Contender, turnMs: number): Promise<Speed> {
	let [units, seconds, usedMs] = [0, 0, 0];
	for (const copy of copies) {
		await copy.prepare?.();
		const beforeMs = copy.processorMs();
		const work = await copy.work(turnMs);
		usedMs += copy.processorMs() - beforeMs;
		units += work.units;
		seconds += work.seconds;
	}
	return { rate: units / seconds, microseconds: (usedMs * 1000) / units };
}
