import type { ErrorCode } from '@bursar/contract/errors';
import type { Operation } from '@bursar/contract/routes';

/** What happens within a call, as it happens. None of it holds a secret. */
export type ClientEvent =
	/** A request is sent. `request` counts the requests of the call from 1, looks included. */
	| { readonly kind: 'request'; readonly operation: Operation; readonly request: number }
	/** Its answer is a success. */
	| {
			readonly kind: 'answer';
			readonly operation: Operation;
			readonly request: number;
			readonly tookMs: number;
			readonly requestId: string | undefined;
	  }
	/** The request was refused, or its answer was lost. */
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
	/** The call waits, in milliseconds, before it tries again or looks for a change whose answer was lost. */
	| { readonly kind: 'wait'; readonly ms: number };

export type EventListener = (event: ClientEvent) => void;

/** A listener that throws does not end the call. Its error is reported as uncaught, as for any event listener. */
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
