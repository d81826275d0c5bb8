import type { CommandLineAct } from '../../domain/people/act.ts';
import type { PersonVerb } from '../person-verb.ts';

interface WebhooksOfCopies {
	readonly unattended?: CommandLineAct | undefined;
}

export interface PauseWebhooks extends WebhooksOfCopies {
	readonly kind: 'pause_webhooks';
}

export interface ResumeWebhooks extends WebhooksOfCopies {
	readonly kind: 'resume_webhooks';
}

interface Switched {
	readonly ok: true;
	/** How many were switched. */
	readonly webhooks: number;
}

/** Switches off all webhooks that are on, as `bursar backup` does in its copy: this store is a copy, and calls nobody. */
export const pauseWebhooks: PersonVerb<PauseWebhooks, Switched, never> = {
	kind: 'pause_webhooks',
	calls: [],
	owner: () => 'operator',
	needs: () => ({ webhooks: true }),
	decide: ({ webhooksOn }) => ({
		outcome: { ok: true, webhooks: webhooksOn },
		effects: webhooksOn === 0 ? [] : [{ kind: 'pause_webhooks' }],
	}),
};

/** Switches on the webhooks that were switched off because the store was a copy. They go on where they stood. */
export const resumeWebhooks: PersonVerb<ResumeWebhooks, Switched, never> = {
	kind: 'resume_webhooks',
	calls: [],
	owner: () => 'operator',
	needs: () => ({ webhooks: true }),
	decide: ({ webhooksCopied }, _, nowMs) => ({
		outcome: { ok: true, webhooks: webhooksCopied },
		effects: webhooksCopied === 0 ? [] : [{ kind: 'resume_webhooks', atMs: nowMs }],
	}),
};
