// The pages that people of resellers and operators both have. Browsers load them as one file.
export { AccountPage } from './features/account/account-page.tsx';
export { ActsPage } from './features/acts/acts-page.tsx';
export { ConnectPage } from './features/connect/connect-page.tsx';
export { MonthsPage } from './features/statement/months-page.tsx';
