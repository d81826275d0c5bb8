import type { ListedSubUser } from '@bursar/contract/dashboard';
import { ActionIcon, Menu } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'wouter';
import { lifeTexts } from '../life/texts.ts';

export type RowAct = 'give' | 'take' | 'suspend' | 'resume' | 'limits' | 'note' | 'delete';

interface Props {
	readonly subUser: Pick<ListedSubUser, 'username' | 'state'>;
	readonly onAsk: (act: RowAct) => void;
}

/** What can be done with a sub-user, in its row of the list. */
export function RowMenu({ subUser: { username, state }, onAsk }: Props) {
	const target = useRef<HTMLButtonElement>(null);
	const chosen = useRef<RowAct>(undefined);

	/** Only now does the dialog open: it gives the focus back to what has it when it opens. */
	function afterClosing() {
		const act = chosen.current;
		chosen.current = undefined;
		const { activeElement } = document;
		if (act || activeElement === document.body || activeElement?.closest('[role=menu]')) target.current?.focus();
		if (act) onAsk(act);
	}
	const choose = (act: RowAct) => () => {
		chosen.current = act;
	};
	return (
		<Menu position="bottom-end" withInitialFocusPlaceholder={false} onExitTransitionEnd={afterClosing}>
			<Menu.Target>
				<ActionIcon ref={target} variant="subtle" color="gray" aria-label={lifeTexts.menu(username)}>
					<span aria-hidden="true">⋯</span>
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item component={Link} href={`/sub-users/${username}`} data-autofocus>
					{lifeTexts.openPage}
				</Menu.Item>
				<Menu.Item onClick={choose('give')}>{lifeTexts.give}</Menu.Item>
				<Menu.Item onClick={choose('take')}>{lifeTexts.take}</Menu.Item>
				<Menu.Item onClick={choose('limits')}>{lifeTexts.limitsMenu}</Menu.Item>
				<Menu.Item onClick={choose('note')}>{lifeTexts.noteMenu}</Menu.Item>
				{state === 'suspended' ? (
					<Menu.Item onClick={choose('resume')}>{lifeTexts.resumeMenu}</Menu.Item>
				) : (
					<Menu.Item onClick={choose('suspend')}>{lifeTexts.suspendMenu}</Menu.Item>
				)}
				<Menu.Divider />
				<Menu.Item c="var(--mantine-color-error)" onClick={choose('delete')}>
					{lifeTexts.deleteMenu}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
