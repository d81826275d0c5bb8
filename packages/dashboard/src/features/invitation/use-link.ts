import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { change } from '../../calls/call.ts';

/** A link with which the page was opened. */
export interface OpenedLink {
	/** `undefined` if the link is not complete. */
	readonly secret: string | undefined;
	/** Counts the links that were opened in this page. */
	readonly number: number;
}

/**
 * The link with which the page was opened, once the address was looked at. Its secret stands in the fragment, which
 * reaches no log, and is removed from the address bar and the history at once.
 */
export function useLink(): OpenedLink | undefined {
	const [link, setLink] = useState<OpenedLink>();
	useEffect(() => {
		function take() {
			const { hash, pathname } = window.location;
			const secret = /^#[\w-]{43}$/.test(hash) ? hash.slice(1) : undefined;
			if (hash !== '') window.history.replaceState(null, '', pathname);
			setLink((previous) => {
				if (previous && hash === '') return previous;
				return { secret, number: (previous?.number ?? 0) + 1 };
			});
		}
		take();
		// If another link is opened in the same tab, the browser changes only the fragment.
		window.addEventListener('hashchange', take);
		return () => window.removeEventListener('hashchange', take);
	}, []);
	return link;
}

/** Whose link it is. The key has only the number of the link, because the link is a secret. */
export function useInvitedPerson({ number, secret }: OpenedLink) {
	return useQuery({
		queryKey: ['invitation', number],
		queryFn: () => change('/invitation', { link: secret ?? '' }),
		enabled: secret !== undefined,
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
	});
}
