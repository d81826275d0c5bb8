import type { ErrorCode } from '@bursar/contract/errors';
import type { Operation } from '@bursar/contract/routes';

/** What happens within a call, as it happens. None of it holds a secret. */
export type ClientEvent =
	/** A request is sent. `request` counts those of the call, its looks among them, from 1. */
	| { readonly kind: 'request'; readonly operation: Operation; readonly request: number }
	/** Its answer is a success. */
	| {
			readonly kind: 'answer';
			readonly operation: Operation;
			readonly request: number;
			readonly tookMs: number;
			readonly requestId: string | undefined;
	  }
	/** It was refused, or its answer was lost. */
	| {
			readonly kind: 'failure';
			readonly operation: Operation;
			readonly request: number;
			readonly tookMs: number;
			readonly message: string;
			readonly code: ErrorCode | undefined;
			readonly status: number | undefined;
			readonly requestId: string | undefined;
	  }
	/** The call waits that long, in milliseconds, before it tries again or looks what became of a lost request. */
	| { readonly kind: 'wait'; readonly ms: number };

export type EventListener = (event: ClientEvent) => void;

/** A call goes on whatever its listener throws: what is thrown is reported as uncaught, as for any event listener. */
export function tellListener(listener: EventListener | undefined): EventListener {
	if (listener === undefined) return () => {};
	return (event) => {
		try {
			listener(event);
		} catch (error) {
			queueMicrotask(() => {
				throw error;
			});
		}
	};
}
