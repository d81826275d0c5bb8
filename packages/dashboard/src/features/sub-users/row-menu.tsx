import type { ListedSubUser } from '@bursar/contract/dashboard';
import { ActionIcon, Menu } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'wouter';
import { useSuspendedReason } from '../../acts/use-suspended-reason.ts';
import { subUserPath } from '../../page/paths.ts';
import { termsTexts } from '../terms/texts.ts';

export type RowAct = 'give' | 'take' | 'suspend' | 'resume' | 'limits' | 'note' | 'delete';

interface Props {
	readonly subUser: Pick<ListedSubUser, 'username' | 'state'>;
	readonly onAsk: (act: RowAct) => void;
}

/** What can be done with a sub-user, in its row of the list. */
export function RowMenu({ subUser: { username, state }, onAsk }: Props) {
	const suspended = useSuspendedReason();
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
	/** While the reseller is suspended, nothing can be changed. */
	const asking = (act: RowAct) => ({
		disabled: suspended !== undefined,
		onClick: () => {
			chosen.current = act;
		},
	});
	return (
		<Menu position="bottom-end" withInitialFocusPlaceholder={false} onExitTransitionEnd={afterClosing}>
			<Menu.Target>
				<ActionIcon ref={target} variant="subtle" color="gray" aria-label={termsTexts.menu(username)}>
					<span aria-hidden="true">⋯</span>
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item component={Link} href={subUserPath(username)} data-autofocus>
					{termsTexts.openPage}
				</Menu.Item>
				{suspended !== undefined && <Menu.Label maw={260}>{suspended}</Menu.Label>}
				<Menu.Item {...asking('give')}>{termsTexts.give}</Menu.Item>
				<Menu.Item {...asking('take')}>{termsTexts.take}</Menu.Item>
				<Menu.Item {...asking('limits')}>{termsTexts.limitsMenu}</Menu.Item>
				<Menu.Item {...asking('note')}>{termsTexts.noteMenu}</Menu.Item>
				{state === 'suspended' ? (
					<Menu.Item {...asking('resume')}>{termsTexts.resumeMenu}</Menu.Item>
				) : (
					<Menu.Item {...asking('suspend')}>{termsTexts.suspendMenu}</Menu.Item>
				)}
				<Menu.Divider />
				<Menu.Item c="var(--mantine-color-error)" {...asking('delete')}>
					{termsTexts.deleteMenu}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
