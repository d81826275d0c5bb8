import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { StateBadge } from '../../page/state-badge.tsx';
import { suspensionTexts } from './suspension-texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

/** Whether a reseller is suspended, and the button that changes it. */
export function SuspensionSection({ details: { reseller, suspended } }: { readonly details: ResellerDetails }) {
	const isActive = suspended === null;
	return (
		<Section
			title={suspensionTexts.title}
			lead={isActive ? suspensionTexts.activeLead : suspensionTexts.suspendedLead}
			actions={<Suspension reseller={reseller} isActive={isActive} />}
		>
			<div role="status">
				<StateBadge tone={isActive ? 'good' : 'bad'}>
					{isActive ? suspensionTexts.active : suspensionTexts.suspended}
				</StateBadge>
				{!isActive && (
					<Text size="sm" c="dimmed" mt={4}>
						{suspensionTexts.since} <Moment at={suspended} />
					</Text>
				)}
			</div>
		</Section>
	);
}

interface SuspensionProps {
	readonly reseller: string;
	readonly isActive: boolean;
}

/** A button that suspends or resumes a reseller, in a dialog that says what this does. */
function Suspension({ reseller, isActive }: SuspensionProps) {
	const refresh = useRefreshReseller();
	const pathOfNow = isActive ? '/operator/suspend' : '/operator/resume';
	/** Stays the same while the dialog is open, even if another operator suspends or resumes meanwhile. */
	const [path, setPath] = useState<typeof pathOfNow>(pathOfNow);
	const texts = suspensionTexts[path];
	return (
		<ActDialog
			path={path}
			done={(details) => refresh(reseller, details)}
			title={texts.title(reseller)}
			button={(open) => (
				// The same button before and after, so that it keeps the focus.
				<Button
					{...(isActive ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
					onClick={() => {
						setPath(pathOfNow);
						open();
					}}
				>
					{suspensionTexts[pathOfNow].action}
				</Button>
			)}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{ reseller }}
					action={texts.action}
					isDangerous={path === '/operator/suspend'}
					repeated={suspensionTexts.repeated}
				>
					<Text size="sm" fw={600}>
						{texts.intro(reseller)}
					</Text>
					<List size="sm" spacing={4}>
						{Object.values(texts.effects).map((effect) => (
							<List.Item key={effect}>{effect}</List.Item>
						))}
					</List>
				</ActForm>
			)}
		</ActDialog>
	);
}
