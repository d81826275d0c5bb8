import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './lists.module.css';

interface Props {
	readonly name: ReactNode;
	readonly details: ReactNode;
	/** Buttons. */
	readonly actions?: ReactNode;
}

/** One line of a list: a passkey, a session. */
export function Item({ name, details, actions }: Props) {
	return (
		<li className={classes.item}>
			<Stack gap={2} className={classes.text}>
				<Text component="div" fw={500}>
					{name}
				</Text>
				<Text component="div" size="sm" c="dimmed">
					{details}
				</Text>
			</Stack>
			{actions && <Group gap="xs">{actions}</Group>}
		</li>
	);
}

export function ItemList({ children }: { readonly children: ReactNode }) {
	return <ul className={classes.list}>{children}</ul>;
}
