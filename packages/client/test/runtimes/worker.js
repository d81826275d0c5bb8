// For workers. Their configuration names this module.
import { walk } from './walk.js';

// biome-ignore lint/style/noDefaultExport: this is how a worker is written
export default {
	async fetch(_request, env) {
		return walk(env).then(
			(text) => new Response(text),
			(error) => new Response(String(error), { status: 500 }),
		);
	},
};
