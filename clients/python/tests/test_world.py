from datetime import datetime, timedelta

import pytest

PAYOUT = "/payment/api/v1/payout"


def test_user_is_approved_after_the_review(world):
    status, consent = world.request("POST", "/onboarding/api/v1/tnc", world.build_consent())
    assert status == 200
    status, user = world.request("POST", "/onboarding/api/v1/users", world.build_user(consent_id=consent))
    assert (status, user["status"]) == (201, "under_review")
    world.advance("2s")
    assert world.control("GET", f"/users/{user['id']}")["status"] == "active"


def test_each_built_user_has_a_consent_of_its_own(world):
    for _ in range(2):
        assert world.request("POST", "/onboarding/api/v1/users", world.build_user())[0] == 201
    with pytest.raises(TypeError, match="Missing consent_id. Expected the id of a new consent"):
        world.build_user()


def test_bodies_are_of_an_active_user_of_other_fixtures(world):
    active = world.users["ben"]["id"]
    world.users = {"ada": {**world.users["ada"], "status": "paused"}, "ben": world.users["ben"]}
    for body in (world.build_payout(), world.build_offramp(), world.build_wallet()):
        assert body["user_id"] == active
    assert world.request("POST", "/payment/api/v1/offramp", world.build_offramp())[0] in (200, 201)


def test_next_call_without_an_operation_is_any(world):
    world.next(respond={"status": 503})
    assert world.request("POST", PAYOUT, world.build_payout())[0] == 503


def test_armed_createUser_rejects_the_user_with_its_reason(world):
    world.next("createUser", move="rejected", reason="The passport has expired")
    _, user = world.request("POST", "/onboarding/api/v1/users", world.build_user(address={"city": "Abuja"}))
    shown = world.control("GET", f"/users/{user['id']}")
    assert (shown["status"], shown["address"]["city"]) == ("rejected", "Abuja")
    assert shown["rejection_reasons"][0]["reason"] == "The passport has expired"


def test_next_call_needs_a_fault(world):
    with pytest.raises(TypeError, match="Missing fault. Expected one"):
        world.next("createPayout")


def test_words_of_the_next_call_and_verbs_of_records(world):
    world.next("createPayout", stay_pending=True)
    world.next("initiateOfframp", settle={"after": "3d"})
    _, payout = world.request("POST", PAYOUT, world.build_payout())
    assert payout["status"] == "PAYOUT_PENDING"
    assert world.payout(payout["id"]).process()["status"] == "PAYOUT_PROCESSED"
    assert world.payout(payout["id"]).return_()["reason"] == "returned"
    _, offramp = world.request("POST", "/payment/api/v1/offramp", world.build_offramp())
    transfer = world.transfer(world.deposit(offramp["address"], "100")["transfer_id"])
    assert transfer.resume()["status"] == "PAYMENT_SUBMITTED"
    world.sleep(2)
    world.expect({"transfers": {"status": "PAYMENT_PROCESSED"}}, count=1)
    assert world.user("chloe").approve()["status"] == "active"
    assert [it["operation"] for it in world.requests()] == ["createPayout", "initiateOfframp"]
    with pytest.raises(RuntimeError, match='Did you mean "lose_response"'):
        world.next("createPayout", lose_respons=True)


def test_deposit_to_a_new_wallet_arrives(world):
    ben = world.users["ben"]["id"]
    _, wallet = world.request("POST", "/payment/api/v1/custody-wallet", world.build_wallet(user_id=ben, chain="base"))
    world.deposit(wallet["wallet_address"], "25.50")
    _, balance = world.request("GET", f"/payment/api/v1/offramp-audit/crypto-balance/USDC/base/{ben}")
    assert balance == 25.5


def test_deposit_to_a_misspelt_wallet_is_an_error(world):
    with pytest.raises(RuntimeError, match="adaPolygn"):
        world.deposit("adaPolygn", "100")


def test_deposit_to_an_offramp_is_transferred(world):
    _, offramp = world.request("POST", "/payment/api/v1/offramp", world.build_offramp())
    transfer = world.deposit(offramp["address"], "100")["transfer_id"]
    world.advance(until="idle")
    _, shown = world.request("GET", f"/payment/api/v1/fx-audit/status/{transfer}")
    assert (shown["status"], shown["destination_amount"]) == ("PAYMENT_PROCESSED", 84)


def test_credit_pays_a_payout(world):
    ben = world.users["ben"]["id"]
    world.credit(ben, "2000", "NGN")
    status, payout = world.request("POST", PAYOUT, world.build_payout(user_id=ben))
    assert (status, payout["status"]) == (200, "PAYOUT_PROCESSED")


def test_processed_payout_is_returned_by_the_bank_after_three_days(world):
    world.next("createPayout", move="PAYOUT_FAILED", from_="PAYOUT_PROCESSED", after="3d", reason="returned")
    _, payout = world.request("POST", PAYOUT, world.build_payout())
    assert payout["status"] == "PAYOUT_PROCESSED"
    world.advance("3d")
    assert world.control("GET", f"/payouts/{payout['id']}")["status"] == "PAYOUT_FAILED"


def test_payout_is_made_once_when_its_response_is_lost(world):
    payout = world.build_payout()
    world.next("createPayout", lose_response=True)
    with pytest.raises(ConnectionError):
        world.request("POST", PAYOUT, payout)
    assert world.request("POST", PAYOUT, payout)[0] == 200
    world.expect({"payouts": {"status": "PAYOUT_PROCESSED"}}, count=1)


def test_armed_calls_concern_the_user_they_name(world):
    world.next("createPayout", times=2, user_id=world.users["ada"]["id"], respond={"status": 503})
    ben = world.users["ben"]["id"]
    world.credit(ben, "9000", "NGN")
    users = [None, ben, None, None]
    bodies = [world.build_payout(**({"user_id": it} if it else {})) for it in users]
    assert [world.request("POST", PAYOUT, it)[0] for it in bodies] == [503, 200, 503, 200]


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"amout": "3"}, 'Unknown field "amout". Did you mean amount'),
        ({"recipient_details": {"bank": "x"}}, 'Unknown field "bank". Did you mean bank_name'),
    ],
)
def test_unknown_field_of_a_body_is_an_error(world, changes, message):
    with pytest.raises(TypeError, match=message):
        world.build_payout(**changes)


def test_posted_scenario_applies_to_this_world(world):
    yaml = "name: closed\ntitle: Closed\nrules:\n  - when: request\n    then:\n      - respond: { status: 503 }\n"
    world.control("POST", "/scenarios?activate=true", yaml)
    assert world.request("POST", PAYOUT, world.build_payout())[0] == 503


def test_control_raises_the_error_of_the_sandbox(world):
    with pytest.raises(RuntimeError, match='Did you mean "status"'):
        world.control("GET", "/transfers?statu=FAILED")


def test_expect_raises_the_near_misses(world):
    world.request("POST", PAYOUT, world.build_payout())
    with pytest.raises(AssertionError, match="MISSED  payouts(?s:.*)status: expected PAYOUT_FAILED, got PAYOUT_PROCESSED"):
        world.expect({"payouts": {"status": "PAYOUT_FAILED"}}, until="idle")


def test_wrong_key_and_wrong_path_are_logged_in_the_world(world):
    assert world.request("GET", "/onboarding/api/v1/users/all", **{"x-api-key": "undefined"})[0] == 403
    assert world.request("POST", "/payments/api/v1/payout", {})[0] == 404
    world.expect({"requests": {"status": [403, 404]}}, count=2)


def test_world_has_the_name_of_its_test(world):
    assert world.control("GET", "/worlds?name=test_world_has_the_name_of_its_test")["items"][0]["id"] == world.id


@pytest.mark.parametrize("days", range(1, 61))
def test_each_test_has_its_own_clock_and_payouts(world, days):
    world.advance(f"{days}d")
    world.request("POST", PAYOUT, world.build_payout())
    world.expect({"payouts": {}}, {"requests": {}}, count=1)
    now = datetime.fromisoformat(world.control("GET", "/clock")["now"][:-1])
    assert now == datetime(2026, 6, 15, 9) + timedelta(days=days)
