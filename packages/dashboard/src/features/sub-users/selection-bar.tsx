import { Button, Group, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { newActId } from '../../acts/act.ts';
import type { Selection } from './selection.tsx';
import { subUserTexts } from './texts.ts';

const OPERATIONS = ['suspend', 'resume', 'give', 'limits'] as const;

/** What can be done with all that are selected. It is prepared on a page of its own. */
export function SelectionBar({ selection }: { readonly selection: Selection }) {
	const [, navigate] = useLocation();
	const usernames = [...selection.usernames];
	return (
		<Group gap="xs" role="group" aria-label={subUserTexts.selection}>
			<Text size="sm" fw={600} role="status">
				{subUserTexts.selected(usernames.length)}
			</Text>
			{OPERATIONS.map((operation) => (
				<Button
					key={operation}
					size="xs"
					variant="default"
					onClick={() => navigate('/many-sub-users', { state: { id: newActId(), operation, usernames } })}
				>
					{subUserTexts.selectionActs[operation]}
				</Button>
			))}
			<Button size="xs" variant="subtle" onClick={selection.clear}>
				{subUserTexts.clearSelection}
			</Button>
		</Group>
	);
}
