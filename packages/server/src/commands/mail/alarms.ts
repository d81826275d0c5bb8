import type { AlarmKind, Notice } from '../../domain/mail/notice.ts';
import { DONE, type Done, type PersonVerb } from '../person-verb.ts';

export interface RaiseAlarm {
	readonly kind: 'raise_alarm';
	/** The reseller, the edge, or the verification. */
	readonly subject: string;
	readonly notice: Extract<Notice, { readonly kind: AlarmKind }>;
}

export interface EndAlarm {
	readonly kind: 'end_alarm';
	readonly alarm: AlarmKind;
	readonly subject: string;
}

/** A lasting state has begun. If any process has raised its alarm, nobody gets another notice. */
export const raiseAlarm: PersonVerb<RaiseAlarm, Done, never> = {
	kind: 'raise_alarm',
	calls: [],
	owner: () => 'mail',
	needs: ({ notice, subject }) => ({ alarm: { alarm: notice.kind, subject } }),
	decide({ isAlarmRaised }, { subject, notice }) {
		if (isAlarmRaised) return { outcome: DONE, effects: [] };
		return {
			outcome: DONE,
			effects: [
				{ kind: 'raise_alarm', alarm: notice.kind, subject, sinceMs: notice.atMs },
				{ kind: 'notify', notice },
			],
		};
	},
};

export const endAlarm: PersonVerb<EndAlarm, Done, never> = {
	kind: 'end_alarm',
	calls: [],
	owner: () => 'mail',
	needs: ({ alarm, subject }) => ({ alarm: { alarm, subject } }),
	decide: ({ isAlarmRaised }, { alarm, subject }) => ({
		outcome: DONE,
		effects: isAlarmRaised ? [{ kind: 'end_alarm', alarm, subject }] : [],
	}),
};
