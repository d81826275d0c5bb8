export const pageTexts = {
	title: (page: string) => `${page} · Bursar`,
	loading: 'Loading',
	retry: 'Try again',
} as const;
