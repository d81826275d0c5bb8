/** What was done of what operators set up first. */
export interface ServiceSteps {
	/** Another operator who can sign in, or two second factors of one's own, with recovery codes. */
	readonly second_way_in: boolean;
	/** `null` if the service does not see its backups. */
	readonly backup: boolean | null;
	readonly mail: boolean;
	readonly reseller: boolean;
	/** A reseller pays for bandwidth. */
	readonly price: boolean;
	readonly top_up: boolean;
	/** A person of a reseller was invited. */
	readonly person: boolean;
	/** An edge was heard from. */
	readonly edge: boolean;
}

/** What was done of what the people of a reseller do first. */
export interface ResellerSteps {
	readonly sub_user: boolean;
	/** A sub-user was given balance. */
	readonly give: boolean;
	/** The proxies have reported bandwidth. */
	readonly bytes: boolean;
	/** A warning of a low balance is set. */
	readonly warning: boolean;
	/** Whether this person has it by mail too; `null` if the service sends none. */
	readonly warning_mail: boolean | null;
	/** The reseller has another person. */
	readonly person: boolean;
	/** This person has a passkey. */
	readonly passkey: boolean;
	/** A program has used a token. */
	readonly api: boolean;
}
