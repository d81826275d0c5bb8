const NAME = 'bursar_http_request_duration_seconds';
const HELP = 'Time from the arrival of the headers until the answer is sent, or its stream begins, by route.';
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const BUCKETS_MS = BUCKETS.map((seconds) => seconds * 1000);

interface RouteFigures {
	/** How many answers had each status. */
	readonly statuses: Map<number, number>;
	/** How many answers belong to each bucket and to none of the shorter ones. The last place is for all longer ones. */
	readonly buckets: number[];
	sumMs: number;
}

/**
 * Counts the answers of each route, and their durations, with little work for each answer: the metrics library sorts and
 * hashes the labels of every observation. So the histogram of durations is kept and written here.
 */
export interface RequestFigures {
	/** `route` must need no escapes in a label. */
	add(route: string, status: number, durationMs: number): void;
	counts(): Generator<{ readonly route: string; readonly status: number; readonly count: number }>;
	/** The histogram in the Prometheus text format. */
	durationsText(): string;
}

export function createRequestFigures(): RequestFigures {
	const routes = new Map<string, RouteFigures>();

	function figuresOf(route: string): RouteFigures {
		const known = routes.get(route);
		if (known) return known;
		const figures = { statuses: new Map(), buckets: new Array(BUCKETS.length + 1).fill(0), sumMs: 0 };
		routes.set(route, figures);
		return figures;
	}

	return {
		add(route, status, durationMs) {
			const figures = figuresOf(route);
			figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
			figures.sumMs += durationMs;
			let place = 0;
			while (durationMs > (BUCKETS_MS[place] ?? Number.POSITIVE_INFINITY)) place++;
			figures.buckets[place] = (figures.buckets[place] ?? 0) + 1;
		},
		*counts() {
			for (const [route, { statuses }] of routes) {
				for (const [status, count] of statuses) yield { route, status, count };
			}
		},
		durationsText() {
			const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
			for (const [route, { buckets, sumMs }] of routes) {
				let count = 0;
				for (const [place, more] of buckets.entries()) {
					count += more;
					lines.push(`${NAME}_bucket{route="${route}",le="${BUCKETS[place] ?? '+Inf'}"} ${count}`);
				}
				lines.push(`${NAME}_sum{route="${route}"} ${sumMs / 1000}`, `${NAME}_count{route="${route}"} ${count}`);
			}
			return `${lines.join('\n')}\n`;
		},
	};
}
