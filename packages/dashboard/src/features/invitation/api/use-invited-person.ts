import { useQuery } from '@tanstack/react-query';
import { change } from '../../../api/call.ts';
import type { OpenedLink } from '../use-link.ts';

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
