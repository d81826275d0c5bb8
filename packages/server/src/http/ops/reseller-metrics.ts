import { Gauge, type Registry } from 'prom-client';

/**
 * How many resellers have a figure. There may be thousands of resellers, and each one would be a series.
 * @bound Resellers that have a figure of their own in the metrics: the rest is left out.
 */
const MOST_SHOWN = 20;
/** How long changes are counted, in milliseconds. Of the time before, a part is counted. */
const WINDOW_MS = 600_000;

/**
 * Adds the metric of the resellers that change most. Every change leaves rows that stay, so that one reseller can grow the
 * store for nothing. The function that it returns counts a change that was committed.
 */
export function addResellerMetrics(
	registry: Registry,
	monotonicMs: () => number = () => performance.now(),
): (reseller: string) => void {
	let beganAtMs = monotonicMs();
	let counts = new Map<string, number>();
	let before: ReadonlyMap<string, number> = new Map();

	function turnWindow(): void {
		const passed = Math.floor((monotonicMs() - beganAtMs) / WINDOW_MS);
		if (passed === 0) return;
		before = passed === 1 ? counts : new Map();
		counts = new Map();
		beganAtMs += passed * WINDOW_MS;
	}

	/** The changes of a reseller in about the last ten minutes. */
	function recent(reseller: string): number {
		const share = 1 - (monotonicMs() - beganAtMs) / WINDOW_MS;
		return (counts.get(reseller) ?? 0) + share * (before.get(reseller) ?? 0);
	}

	new Gauge({
		name: 'bursar_reseller_recent_changes',
		help: `Changes of a reseller that this process has committed in about the last ten minutes. Only of the ${MOST_SHOWN} resellers with the most.`,
		labelNames: ['reseller'],
		registers: [registry],
		collect() {
			turnWindow();
			this.reset();
			const resellers = new Set([...counts.keys(), ...before.keys()]);
			const most = Array.from(resellers, (reseller) => ({ reseller, changes: recent(reseller) }))
				.filter(({ changes }) => changes >= 1)
				.toSorted((one, other) => other.changes - one.changes)
				.slice(0, MOST_SHOWN);
			for (const { reseller, changes } of most) this.set({ reseller }, Math.round(changes));
		},
	});
	return (reseller) => {
		turnWindow();
		counts.set(reseller, (counts.get(reseller) ?? 0) + 1);
	};
}
