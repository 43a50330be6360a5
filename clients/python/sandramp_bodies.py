"""Valid bodies of the service, with new ids. Keyword arguments change fields, nested ones too."""

from difflib import get_close_matches
from uuid import uuid4

__tracebackhide__ = True
OPTIONAL = ["metadata", "documents", "line2", "region"]
IMAGE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Bodies:
    built_users = 0

    @property
    def account(self):
        """The first account of the fixtures whose user is active."""
        active = [it["id"] for it in self.users.values() if it["status"] == "active"]
        none = {"id": str(uuid4()), "user_id": next(iter(active), str(uuid4()))}
        return next((it for it in self.accounts.values() if it["user_id"] in active), none)

    def build_consent(self, **changes):
        return merge({"tnc_data": {"tnc_accepted": True, "accepted_at": "2026-06-15T08:59:00.000Z"}}, changes)

    def build_user(self, **changes):
        """Without a consent_id, it takes the next unused consent of the fixtures, which have two."""
        number = uuid4().int
        if "consent_id" not in changes:
            if self.built_users == len(self.consents):
                raise TypeError("Missing consent_id. Expected the id of a new consent: those of the fixtures are used.")
            consent = list(self.consents.values())[self.built_users]
            changes = {**changes, "consent_id": consent["id"]}
            self.built_users += 1
        identity = {
            "identity_country_code": "NGA",
            "identity_number": f"A{number:X}"[:9],
            "identity_document_name": "Passport",
            "identity_document_front": IMAGE,
            "identity_document_back": IMAGE,
        }
        address = {
            "line1": "14 Marina Road",
            "city": "Lagos",
            "sub_division": "Lagos",
            "country": "NGA",
            "postal_code": "101241",
        }
        user = {
            "first_name": "Test",
            "last_name": "User",
            "email_address": f"test-{number:x}@example.com",
            "phone_number": f"+1555{number % 10**10:010}",
            "date_of_birth": "1990-04-12",
            "user_type": "individual",
            "consent_id": None,
            "sharing_consent": True,
        }
        return merge({**user, "identity": identity, "address": address}, changes)

    def build_wallet(self, **changes):
        user_id = self.account["user_id"]
        return merge({"user_id": user_id, "chain": "polygon", "customer_wallet_ref": str(uuid4())}, changes)

    def build_offramp(self, **changes):
        account = self.account
        return merge({"user_id": account["user_id"], "account_id": account["id"]}, changes)

    def build_payout(self, **changes):
        payout = {
            "user_id": self.account["user_id"],
            "customer_payout_id": str(uuid4()),
            "currency": "NGN",
            "amount": "1500.00",
        }
        recipient = {
            "bank_name": "Marina Test Bank",
            "account_holder_name": "Ada Okafor",
            "recipient_account_number": "0690000031",
        }
        return merge({**payout, "recipient_details": recipient}, changes)


def merge(body, changes):
    for name in changes.keys() - {*body, *OPTIONAL}:
        near = get_close_matches(name, [*body, *OPTIONAL]) or body
        raise TypeError(f'Unknown field "{name}". Did you mean {" or ".join(near)}?')
    nested = {name: merge(body[name], it) for name, it in changes.items() if isinstance(it, dict)}
    return {**body, **changes, **nested}
