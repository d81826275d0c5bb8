import type { SubUserDetails, SubUserLimits } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActOptions, useAct } from '../../acts/use-act.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { LimitsFields } from './limits-fields.tsx';
import { lifeTexts } from './texts.ts';
import { changedLimits, limitTexts } from './typed-limits.ts';
import { useNoteChange } from './use-sub-users.ts';

interface Limiting {
	readonly act: ReturnType<typeof useAct<'/sub-users/limits'>>;
	readonly send: (limits: Partial<SubUserLimits>) => Promise<void>;
}

/** Sets the limits of a sub-user, in a dialog. `onDone` is called with what then can be said. */
export function useLimiting(username: string, onDone: (text: string) => void, options?: ActOptions): Limiting {
	const act = useAct('/sub-users/limits', options);
	const note = useNoteChange();
	return {
		act,
		async send(limits) {
			const details = await act.send({ username, limits });
			await note(details);
			if (!details) return;
			onDone(lifeTexts.done.limits(username));
			act.close();
		},
	};
}

interface Props {
	readonly limiting: Limiting;
	readonly details: SubUserDetails;
}

export function LimitsDialog({ limiting, details }: Props) {
	return (
		<ActDialog act={limiting.act} title={lifeTexts.limitsTitle(details.username)}>
			<LimitsForm limiting={limiting} details={details} />
		</ActDialog>
	);
}

function LimitsForm({ limiting: { act, send }, details }: Props) {
	/** As they were when the form opened: what somebody else sets meanwhile is not set back. */
	const [before] = useState(() => limitTexts(details.limits));
	const [texts, setTexts] = useState(before);
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState<Partial<SubUserLimits>>();
	const limits = changedLimits(before, texts, serverNowMs());

	function submit() {
		const wanted = act.state === 'open' ? limits : sent;
		if (!wanted) return;
		setSent(wanted);
		void send(wanted);
	}
	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={lifeTexts.saveLimits}
			isComplete={limits !== undefined && Object.keys(limits).length > 0}
		>
			<LimitsFields texts={texts} onType={setTexts} disabled={act.isBusy} />
		</ActForm>
	);
}
