/** Method and path of each operation, relative to the base address of the edge listener. */
export const edgeRoutes = {
	check: { method: 'POST', path: '/edge/v1/check' },
	usage: { method: 'POST', path: '/edge/v1/usage' },
	join: { method: 'POST', path: '/edge/v1/join' },
} as const;
