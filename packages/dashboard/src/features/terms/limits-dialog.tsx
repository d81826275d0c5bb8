import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { LimitsFields } from './limits-fields.tsx';
import { termsTexts } from './texts.ts';
import { changedLimits, limitTexts } from './typed-limits.ts';
import { type SubUserDialogProps, useDone } from './use-sub-user.ts';

/** Sets the limits of a sub-user. */
export function LimitsDialog({ details, onDone, button }: SubUserDialogProps) {
	const { username } = details;
	return (
		<ActDialog
			path="/sub-users/limits"
			done={useDone(onDone, termsTexts.done.limits(username))}
			title={termsTexts.limitsTitle(username)}
			button={button}
		>
			{(act) => <LimitsForm act={act} details={details} />}
		</ActDialog>
	);
}

interface FormProps extends Pick<SubUserDialogProps, 'details'> {
	readonly act: Act<'/sub-users/limits'>;
}

function LimitsForm({ act, details: { username, limits: now } }: FormProps) {
	/** As they were when the form opened, so that a limit that another person sets meanwhile stays. */
	const [before] = useState(() => limitTexts(now));
	const [texts, setTexts] = useState(before);
	const limits = changedLimits(before, texts, serverNowMs());
	const isChanged = limits !== undefined && Object.keys(limits).length > 0;
	return (
		<ActForm act={act} body={isChanged ? { username, limits } : undefined} action={termsTexts.saveLimits}>
			<LimitsFields texts={texts} onType={setTexts} disabled={act.isBusy} />
		</ActForm>
	);
}
