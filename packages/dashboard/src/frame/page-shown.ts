import { createContext, type RefObject } from 'react';

/** Whether a page was shown already. The first one leaves the focus where the browser puts it. */
export const PageShown = createContext<RefObject<boolean>>({ current: false });
