"""What every tracker must do, against a running server of its kind; each adapter runs all of it."""

from tests.contract.tracker_changing import Changing
from tests.contract.tracker_commenting import Commenting
from tests.contract.tracker_creating import Creating
from tests.contract.tracker_files import Files
from tests.contract.tracker_forms import Forms
from tests.contract.tracker_moved import Moved
from tests.contract.tracker_ours import Ours
from tests.contract.tracker_people import People
from tests.contract.tracker_reading import Reading
from tests.contract.tracker_rights import Rights
from tests.contract.tracker_service import Service
from tests.contract.tracker_sprints import Sprints
from tests.contract.tracker_ties import Ties
from tests.contract.tracker_trouble import InTrouble


class TrackerContract(
    Reading,
    People,
    Creating,
    Forms,
    Commenting,
    Changing,
    Files,
    Ties,
    Sprints,
    Service,
    Ours,
    Moved,
    Rights,
    InTrouble,
):
    """All promises of the port, one class for each kind."""
