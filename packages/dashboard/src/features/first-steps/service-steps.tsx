import type { ServiceSteps } from '@bursar/contract/dashboard';
import { useRead } from '../../calls/use-read.ts';
import { FirstStepsCard, type Step } from './first-steps-card.tsx';
import { firstStepsTexts } from './texts.ts';
import { useHidden } from './use-hidden.ts';

const PAGES = {
	second_way_in: '/people',
	backup: undefined,
	mail: '/mail',
	reseller: '/resellers',
	price: '/resellers',
	top_up: '/resellers',
	person: '/people',
	edge: '/edges',
} as const satisfies Record<keyof ServiceSteps, string | undefined>;

/** What operators set up first, until all of it is there. */
export function ServiceStepsSection() {
	const [isHidden, hide] = useHidden('service-steps');
	const { data } = useRead('/operator/first-steps', {}, { enabled: !isHidden });
	if (isHidden || !data) return null;
	return <FirstStepsCard title={firstStepsTexts.service} steps={stepsOf(data)} onHide={hide} />;
}

function stepsOf(done: ServiceSteps): readonly Step[] {
	return (Object.keys(PAGES) as (keyof ServiceSteps)[])
		.filter((id) => done[id] !== null)
		.map((id) => ({
			id,
			isDone: done[id] === true,
			text: firstStepsTexts.serviceSteps[id],
			...(PAGES[id] !== undefined && { href: PAGES[id] }),
			...(id === 'backup' && { note: <BackupNote /> }),
		}));
}

function BackupNote() {
	return (
		<>
			({firstStepsTexts.backupBy} <code>bursar backup</code>)
		</>
	);
}
