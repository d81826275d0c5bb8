import type { ResellerSteps } from '@bursar/contract/dashboard';
import { useMay } from '../../calls/use-may.ts';
import { useRead } from '../../calls/use-read.ts';
import { ChangeBound } from '../low-balance/change-bound.tsx';
import { FirstStepsCard, type Step } from './first-steps-card.tsx';
import { firstStepsTexts } from './texts.ts';
import { useHidden } from './use-hidden.ts';

/** What the people of a reseller do first, each only what the own role allows, until all of it is done. */
export function ResellerStepsSection() {
	const [isHidden, hide] = useHidden('reseller-steps');
	const mayChange = useMay('/sub-users/create');
	const mayAdminister = useMay('/team/invite');
	const isShown = mayChange && !isHidden;
	const { data } = useRead('/first-steps', {}, { enabled: isShown });
	if (!isShown || !data) return null;
	return <FirstStepsCard title={firstStepsTexts.reseller} steps={stepsOf(data, mayAdminister)} onHide={hide} />;
}

/** Of a person who may change sub-users. */
export function stepsOf(done: ResellerSteps, mayAdminister: boolean): readonly Step[] {
	const texts = firstStepsTexts.resellerSteps;
	const { warning, warning_mail } = done;
	const steps: readonly (Step | false)[] = [
		{ id: 'sub_user', isDone: done.sub_user, text: texts.sub_user, href: '/sub-users' },
		{ id: 'give', isDone: done.give, text: texts.give, href: '/sub-users' },
		{ id: 'bytes', isDone: done.bytes, text: texts.bytes, href: '/connect' },
		{
			id: 'warning',
			isDone: warning && warning_mail !== false,
			text: warning_mail === null ? texts.warning : texts.warning_mail,
			...(warning ? { href: '/account' } : { action: (text) => <ChangeBound lowBalance={null}>{text}</ChangeBound> }),
		},
		mayAdminister
			? { id: 'second_way_in', isDone: done.person || done.passkey, text: texts.second_way_in, href: '/team' }
			: { id: 'passkey', isDone: done.passkey, text: texts.passkey, href: '/account' },
		mayAdminister && { id: 'api', isDone: done.api, text: texts.api, href: '/token' },
	];
	return steps.filter((step) => step !== false);
}
