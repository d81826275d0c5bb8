/** Runs a benchmark. What it defers is done in reverse order when the benchmark ends, also if a signal ends it. */
export async function runBenchmark(benchmark: (stops: AsyncDisposableStack) => Promise<void>): Promise<void> {
	const stops = new AsyncDisposableStack();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => void stops.disposeAsync().finally(() => process.exit(130)));
	}
	try {
		await benchmark(stops);
	} catch (error) {
		// Without its servers, an interrupted benchmark fails.
		if (!stops.disposed) throw error;
	} finally {
		await stops.disposeAsync();
	}
}
