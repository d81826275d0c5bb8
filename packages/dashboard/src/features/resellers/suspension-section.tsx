import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Button, List, Text } from '@mantine/core';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { suspensionTexts } from './suspension-texts.ts';
import { useNoteReseller } from './use-reseller.ts';

type SuspensionPath = '/operator/suspend' | '/operator/resume';

/** Whether a reseller is suspended, and the button that changes it. */
export function SuspensionSection({ details: { reseller, suspended } }: { readonly details: ResellerDetails }) {
	const suspend = useAct('/operator/suspend');
	const resume = useAct('/operator/resume');
	const isActive = suspended === null;
	return (
		<Section
			title={suspensionTexts.title}
			lead={isActive ? suspensionTexts.activeLead : suspensionTexts.suspendedLead}
			actions={
				// The same button before and after, so that it keeps the focus.
				<Button
					{...(isActive ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
					onClick={isActive ? suspend.open : resume.open}
				>
					{suspensionTexts[isActive ? '/operator/suspend' : '/operator/resume'].action}
				</Button>
			}
		>
			<div role="status">
				<Text fz="1.5rem" fw={700} lh={1.2} {...(!isActive && { c: 'var(--mantine-color-error)' })}>
					{isActive ? suspensionTexts.active : suspensionTexts.suspended}
				</Text>
				{!isActive && (
					<Text size="sm">
						{suspensionTexts.since} <Moment at={suspended} />
					</Text>
				)}
			</div>
			<SuspensionDialog act={suspend} path="/operator/suspend" reseller={reseller} />
			<SuspensionDialog act={resume} path="/operator/resume" reseller={reseller} />
		</Section>
	);
}

interface DialogProps {
	readonly act: ReturnType<typeof useAct<SuspensionPath>>;
	readonly path: SuspensionPath;
	readonly reseller: string;
}

/** Says what it does to suspend or resume a reseller, before it is done. */
function SuspensionDialog({ act, path, reseller }: DialogProps) {
	const note = useNoteReseller();
	const texts = suspensionTexts[path];

	async function send() {
		const details = await act.send({ reseller });
		if (details) act.close();
		void note(reseller, details);
	}

	return (
		<ActDialog act={act} title={texts.title(reseller)}>
			<ActForm
				act={act}
				onSubmit={() => void send()}
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
		</ActDialog>
	);
}
