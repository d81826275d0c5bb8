// The pages of operators, besides their start page. Browsers load them as one file.
export { ApiTokensPage } from './features/api-tokens/api-tokens-page.tsx';
export { NetworkPage } from './features/bandwidth/network-page.tsx';
export { BrandPage } from './features/brand/brand-page.tsx';
export { EdgesPage } from './features/edges/edges-page.tsx';
export { IncomePage } from './features/income/income-page.tsx';
export { LedgerPage } from './features/ledger/ledger-page.tsx';
export { MailPage } from './features/mail/mail-page.tsx';
export { PaymentPage } from './features/payments/payment-page.tsx';
export { PaymentsPage } from './features/payments/payments-page.tsx';
export { PeoplePage } from './features/people/people-page.tsx';
export { ResellerSubUserPage } from './features/reseller-sub-users/reseller-sub-user-page.tsx';
export { ResellerSubUsersPage } from './features/reseller-sub-users/reseller-sub-users-page.tsx';
export { ResellerPage } from './features/resellers/reseller-page.tsx';
export { ResellersPage } from './features/resellers/resellers-page.tsx';
export { UsagePage } from './features/usage-health/usage-page.tsx';
export { AllWebhooksPage } from './features/webhooks/all-webhooks-page.tsx';
