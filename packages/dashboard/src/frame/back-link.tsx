import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

interface Props {
	readonly href: string;
	readonly children: string;
}

/** Leads from one thing to the list of all. */
export function BackLink({ href, children }: Props) {
	return (
		<Anchor component={Link} href={href} size="sm">
			<span aria-hidden="true">← </span>
			{children}
		</Anchor>
	);
}
